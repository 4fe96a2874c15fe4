-- redis-lua over LuaSocket.
local redis = require("redis")

local host, port = arg[1], tonumber(arg[2])
local failed = 0

local function check(behaviour, does)
  local fine, reason = pcall(does)
  if fine then
    print("PASS redis-lua " .. behaviour)
  else
    failed = failed + 1
    print("FAIL redis-lua " .. behaviour .. ": " .. tostring(reason):gsub("%s+", " "))
  end
end

local function equal(seen, wanted)
  if seen ~= wanted then error(tostring(seen) .. " is not " .. tostring(wanted), 2) end
end

local RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
local client = redis.connect(host, port)
local door = "more:" .. os.time() .. "-" .. tostring({}):sub(8) .. ":door"

check("is ready", function() equal(client:ping(), true) end)
check("acquires", function() equal(client:set(door, "alice", "PX", 5000, "NX"), true) end)
check("is refused while another holds it", function()
  assert(not client:set(door, "bob", "PX", 5000, "NX"))
  equal(client:get(door), "alice")
end)
check("releases by a script, its own lock only", function()
  equal(client:eval(RELEASE, 1, door, "bob"), 0)
  equal(client:eval(RELEASE, 1, door, "alice"), 1)
end)
check("takes over when the lease is over", function()
  client:set(door, "alice", "PX", 100, "NX")
  require("socket").sleep(0.2)
  equal(client:set(door, "bob", "PX", 5000, "NX"), true)
end)
check("pipelines", function()
  local answers = client:pipeline(function(p)
    p:get(door)
    p:incr(door .. ":n")
  end)
  equal(answers[1], "bob")
  equal(answers[2], 1)
end)
check("watches, checks and commits", function()
  local answers = client:transaction({ watch = door, cas = true, retry = 2 }, function(t)
    local owner = t:get(door)
    t:multi()
    if owner == "bob" then t:del(door) end
  end)
  equal(answers[1], 1)
end)
check("hears of a release", function()
  local ear = redis.connect(host, port)
  local heard
  for message, abort in ear:pubsub({ subscribe = { door .. ":freed" } }) do
    if message.kind == "subscribe" then client:publish(door .. ":freed", "bob") end
    if message.kind == "message" then
      heard = message.payload
      abort()
    end
  end
  equal(heard, "bob")
end)
check("keeps hashes and sorted sets", function()
  client:hmset(door .. ":h", { owner = "alice", n = 1 })
  equal(client:hgetall(door .. ":h").owner, "alice")
  client:zadd(door .. ":z", 2, "b", 1, "a")
  equal(table.concat(client:zrange(door .. ":z", 0, -1), " "), "a b")
  equal(client:del(door .. ":h", door .. ":z", door .. ":n"), 3)
end)
client:quit()
os.exit(failed == 0 and 0 or 1)
