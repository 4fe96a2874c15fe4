# sidekiq: a real worker process with its scheduler, and the client that feeds it.
require_relative "check"
DATABASE = 5 # sidekiq's keys have no prefix: it has a database to itself
ENV["REDIS_URL"] = "redis://#{HOST}:#{PORT}/#{DATABASE}"
require_relative "sidekiq_jobs"
require "sidekiq/api"
require "tmpdir"

Redis.silence_deprecations = true # redis-rb 4 tells at each SADD what redis-rb 5 will do
client = Client.new("sidekiq")
redis = Redis.new(host: HOST, port: PORT, db: DATABASE)
redis.flushdb
jobs = File.join(__dir__, "sidekiq_jobs.rb")
log = File.join(Dir.mktmpdir("sidekiq"), "log")
# One thread: another that is idle would be given the job that a stopping worker puts back, and may be gone before it
# has put it back in turn.
start = -> { spawn("sidekiq", "-r", jobs, "-c", "1", "-t", "1", %i[out err] => log) }
stop = lambda do |process|
  Process.kill("TERM", process)
  Process.wait(process)
end

client.check("enqueues") do
  Note.perform_async(key("notes"), "waiting")
  equal(Sidekiq::Queue.new.size, 1)
end

worker = start.call
client.check("does what waits") { eventually { redis.lrange(key("notes"), 0, -1) == ["waiting"] } }

client.check("does many") do
  200.times { |n| Note.perform_async(key("many"), n.to_s) }
  eventually { redis.llen(key("many")) == 200 }
  equal(redis.lrange(key("many"), 0, -1).map(&:to_i).sort, (0...200).to_a)
end

client.check("enqueues in bulk") do
  Sidekiq::Client.push_bulk("class" => Note, "args" => (1..20).map { |n| [key("bulk"), n.to_s] })
  eventually { redis.llen(key("bulk")) == 20 }
end

client.check("does a job later") do
  begun = Time.now
  Note.perform_in(2, key("later"), "now")
  equal(Sidekiq::ScheduledSet.new.size, 1)
  eventually(25) { redis.llen(key("later")) == 1 }
  raise "too early" if Time.now - begun < 2
  equal(Sidekiq::ScheduledSet.new.size, 0)
end

client.check("tries again") do
  FailsOnce.perform_async(key("tries"))
  eventually(40) { redis.llen(key("tries")) == 2 }
  eventually { Sidekiq::RetrySet.new.size.zero? }
end

client.check("counts what it did and what failed") do
  Fails.perform_async
  eventually { Sidekiq::Stats.new.failed >= 2 }
  raise "processed #{Sidekiq::Stats.new.processed}" unless Sidekiq::Stats.new.processed > 220
end

client.check("shows its processes") do
  eventually { Sidekiq::ProcessSet.new.size == 1 }
  equal(Sidekiq::ProcessSet.new.first["concurrency"], 1)
end

client.check("puts back what a stopped worker has not finished") do
  Long.perform_async(key("long"))
  eventually { redis.llen(key("long")) == 1 }
  stop.call(worker)
  worker = nil
  equal(Sidekiq::Queue.new.size, 1)
  worker = start.call
  eventually { redis.llen(key("long")) == 2 }
end

stop.call(worker) if worker
redis.flushdb
client.end
