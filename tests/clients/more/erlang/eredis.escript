#!/usr/bin/env escript
%% eredis: the life of a lock, a transaction, a subscription.
-define(RELEASE, "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0").

main([Host, PortText]) ->
    process_flag(trap_exit, true),
    true = code:add_pathz("/usr/lib/erlang/lib/redis_client-1.2.0/ebin"),
    Port = list_to_integer(PortText),
    {ok, Redis} = eredis:start_link(Host, Port),
    Door = "more:" ++ os:getpid() ++ ":door",
    Q = fun(Words) -> eredis:q(Redis, Words) end,
    Outcomes = [check(Behaviour, Does) || {Behaviour, Does} <- story(Q, Redis, {Host, Port}, Door)],
    halt(case lists:all(fun(Fine) -> Fine end, Outcomes) of true -> 0; false -> 1 end).

story(Q, Redis, Address, Door) ->
    Acquire = fun(Owner, Lease) -> Q(["SET", Door, Owner, "NX", "PX", Lease]) end,
    [{"is ready", fun() -> {ok, <<"PONG">>} = Q(["PING"]) end},
     {"acquires", fun() -> {ok, <<"OK">>} = Acquire("alice", 5000) end},
     {"is refused while another holds it", fun() -> {ok, undefined} = Acquire("bob", 5000) end},
     {"releases by a script, its own lock only", fun() ->
         {ok, <<"0">>} = Q(["EVAL", ?RELEASE, 1, Door, "bob"]),
         {ok, <<"1">>} = Q(["EVAL", ?RELEASE, 1, Door, "alice"])
      end},
     {"takes over when the lease is over", fun() ->
         {ok, <<"OK">>} = Acquire("alice", 150),
         timer:sleep(250),
         {ok, <<"OK">>} = Acquire("bob", 5000)
      end},
     {"pipelines", fun() ->
         [{ok, <<"bob">>}, {ok, <<"1">>}] = eredis:qp(Redis, [["GET", Door], ["INCR", Door ++ ":n"]])
      end},
     {"commits", fun() ->
         {ok, <<"OK">>} = Q(["MULTI"]),
         {ok, <<"QUEUED">>} = Q(["DEL", Door, Door ++ ":n"]),
         {ok, [<<"2">>]} = Q(["EXEC"])
      end},
     {"answers an error as an error", fun() ->
         {ok, _} = Q(["SET", Door, "text", "PX", 5000]),
         {error, <<"ERR value is not an integer or out of range">>} = Q(["INCR", Door])
      end},
     {"hears of a release", fun() -> hears(Q, Address, list_to_binary(Door ++ ":freed")) end}].

hears(Q, {Host, Port}, Channel) ->
    {ok, Ear} = eredis_sub:start_link(Host, Port, ""),
    ok = eredis_sub:controlling_process(Ear),
    ok = eredis_sub:subscribe(Ear, [Channel]),
    receive {subscribed, Channel, Ear} -> ok = eredis_sub:ack_message(Ear) after 5000 -> throw(not_subscribed) end,
    {ok, <<"1">>} = Q(["PUBLISH", Channel, "bob"]),
    receive {message, Channel, <<"bob">>, Ear} -> ok = eredis_sub:ack_message(Ear) after 5000 -> throw(not_heard) end,
    eredis_sub:stop(Ear).

check(Behaviour, Does) ->
    try
        Does(),
        io:format("PASS eredis ~s~n", [Behaviour]),
        true
    catch
        _:Reason ->
            io:format("FAIL eredis ~s: ~0p~n", [Behaviour, Reason]),
            false
    end.
