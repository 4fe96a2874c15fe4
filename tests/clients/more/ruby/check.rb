# What the scripts share: one PASS or FAIL line for each behaviour of a client, and an end of 1 when any failed.
HOST, PORT = ARGV[0] || "127.0.0.1", (ARGV[1] || "6379").to_i
RUN = "#{Process.pid}-#{Time.now.to_i}"
$stdout.sync = true

def key(name) = "more:#{RUN}:#{name}"

def equal(seen, wanted)
  raise "#{seen.inspect} is not #{wanted.inspect}" unless seen == wanted
end

# Until the block is true; what a client does in the background takes a moment.
def eventually(seconds = 15)
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  until yield
    raise "not so after #{seconds} s" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    sleep 0.05
  end
end

class Client
  def initialize(name)
    @name, @failed = name, 0
  end

  def check(behaviour)
    yield
    puts "PASS #{@name} #{behaviour}"
  rescue StandardError => error
    @failed += 1
    puts "FAIL #{@name} #{behaviour}: #{error.class} #{error.message.tr("\n", " ")[0, 300]}"
  end

  def end = exit(@failed.zero?)
end
