// Owners, their requests, and who has to leave before a request is granted: who is stuck for good.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fencepost::state {

// One step of a circle: `owner` waits for `key`, which `holder` holds or is in line for.
struct WaitsFor {
  std::string owner;
  std::string key;
  std::string holder;
};

// A request is stuck when it can only be granted through owners that are themselves stuck: an owner
// leaves nothing while one of its requests is stuck. That is a greatest fixed point: all requests
// are first taken to be stuck, and those that nobody stuck stands in the way of are released, each
// looked at again only when something that it waits for was. (Knapp, "Deadlock detection in
// distributed databases", 1987: the general, AND-OR model: a writer needs every reader gone, a
// semaphore any one.) Linear in what was added.
class WaitGraph {
 public:
  using OwnerId = std::size_t;
  using RequestId = std::size_t;

  OwnerId owner(std::string_view name);
  RequestId add_request(OwnerId owner);

  // What a request waits for at `key`, which outlives the graph. An owner that has to leave.
  void needs_gone(RequestId request, OwnerId other, std::string_view key);
  // One of the same kind that has to be granted before.
  void goes_after(RequestId request, RequestId before, std::string_view key);
  // There have to be fewer than `room` stuck ones beside it: holders of the same semaphore (each
  // named with shares_with), and those granted before it.
  void needs_room(RequestId request, std::int64_t room);
  void shares_with(RequestId request, OwnerId holder, std::string_view key);

  // After all was added, once.
  void release_the_free();
  bool is_stuck(RequestId request) const { return requests_[request].stuck; }
  // The shortest circle of stuck owners that leads from the request back to its owner; none when
  // no circle does.
  std::optional<std::vector<WaitsFor>> circle_from(RequestId request) const;

 private:
  struct Edge {
    OwnerId to;
    std::string_view key;
  };
  struct Request {
    OwnerId owner = 0;
    std::vector<Edge> edges;       // whoever is in the way, in whatever way
    std::vector<OwnerId> leavers;  // who has to leave
    std::vector<OwnerId> sharers;  // of the semaphore
    std::optional<RequestId> before;
    std::vector<RequestId> behind;
    std::int64_t room = 0;  // 0: it is no semaphore
    std::size_t unmet = 0;  // leavers that are stuck, and the one before
    std::size_t line = 0;   // of a semaphore: its index in lines_
    bool has_line = false;
    bool stuck = true;
  };
  struct Owner {
    std::string name;
    std::vector<RequestId> requests;
    std::size_t stuck_requests = 0;
    std::vector<RequestId> in_the_way_of;
    std::vector<std::size_t> crowds;  // lines in which its share counts while it is stuck
  };
  // Requests for one semaphore, each going after the one before: they are granted from the front.
  struct Line {
    std::int64_t crowd = 0;  // stuck owners that hold it or were granted it
    std::vector<RequestId> front;
  };
  // How the search for a circle came to an owner.
  struct Step {
    OwnerId from = 0;
    std::string_view key;
    bool seen = false;
  };

  bool is_stuck_owner(OwnerId owner) const { return owners_[owner].stuck_requests > 0; }
  void count_what_is_unmet();
  std::size_t line_of(RequestId request);
  void consider(RequestId request);
  void release(RequestId request);
  void keep_share(OwnerId owner, std::size_t line);
  std::vector<WaitsFor> path_to(OwnerId goal, Edge last, OwnerId from,
                                const std::vector<Step>& steps) const;

  std::vector<Owner> owners_;
  std::unordered_map<std::string, OwnerId> by_name_;
  std::vector<Request> requests_;
  std::vector<Line> lines_;
  std::vector<RequestId> ready_;
};

}  // namespace fencepost::state
