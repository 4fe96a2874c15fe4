# The work that sidekiq.rb enqueues, and that the process `sidekiq` does.
require "sidekiq"

Sidekiq.configure_server do |config|
  config.average_scheduled_poll_interval = 1
end

module Notes
  def note(list, text) = Sidekiq.redis { |redis| redis.rpush(list, text) }
end

class Note
  include Sidekiq::Worker
  include Notes
  sidekiq_options retry: 0

  def perform(list, text) = note(list, text)
end

class FailsOnce
  include Sidekiq::Worker
  include Notes
  sidekiq_options retry: 3
  sidekiq_retry_in { 0 }

  def perform(list)
    note(list, "tried")
    raise "not this time" if Sidekiq.redis { |redis| redis.llen(list) } < 2
  end
end

class Fails
  include Sidekiq::Worker
  sidekiq_options retry: 0

  def perform = raise("never")
end

class Long
  include Sidekiq::Worker
  include Notes
  sidekiq_options retry: 1

  def perform(list)
    note(list, "begun")
    sleep 30 if Sidekiq.redis { |redis| redis.llen(list) } < 2
  end
end
