// Owners, their requests, and who has to leave before a request is granted: who is stuck for good.
#include "state/wait_graph.h"

#include <algorithm>

#include "base/check.h"

namespace fencepost::state {

WaitGraph::OwnerId WaitGraph::owner(std::string_view name) {
  const auto [found, is_new] = by_name_.emplace(std::string{name}, owners_.size());
  if (is_new) owners_.emplace_back().name = found->first;
  return found->second;
}

WaitGraph::RequestId WaitGraph::add_request(OwnerId owner) {
  requests_.emplace_back().owner = owner;
  owners_[owner].requests.push_back(requests_.size() - 1);
  ++owners_[owner].stuck_requests;
  return requests_.size() - 1;
}

void WaitGraph::needs_gone(RequestId request, OwnerId other, std::string_view key) {
  requests_[request].leavers.push_back(other);
  requests_[request].edges.push_back({other, key});
}

void WaitGraph::goes_after(RequestId request, RequestId before, std::string_view key) {
  check(!requests_[request].before, "a request goes after one other");
  requests_[request].before = before;
  requests_[request].edges.push_back({requests_[before].owner, key});
  requests_[before].behind.push_back(request);
}

void WaitGraph::needs_room(RequestId request, std::int64_t room) {
  requests_[request].room = room;
}

void WaitGraph::shares_with(RequestId request, OwnerId holder, std::string_view key) {
  requests_[request].sharers.push_back(holder);
  requests_[request].edges.push_back({holder, key});
}

void WaitGraph::release_the_free() {
  count_what_is_unmet();
  for (RequestId request = 0; request < requests_.size(); ++request) consider(request);
  while (!ready_.empty()) {
    const RequestId next = ready_.back();
    ready_.pop_back();
    if (requests_[next].stuck) release(next);
  }
}

// Owners without requests are in nobody's way for ever.
void WaitGraph::count_what_is_unmet() {
  for (RequestId id = 0; id < requests_.size(); ++id) {
    Request& request = requests_[id];
    for (const OwnerId leaver : request.leavers) {
      if (!is_stuck_owner(leaver)) continue;
      ++request.unmet;
      owners_[leaver].in_the_way_of.push_back(id);
    }
    if (request.before) ++request.unmet;
    if (request.room > 0) line_of(id);
  }
}

// The line that the request belongs to; it begins with the one that goes after nobody.
std::size_t WaitGraph::line_of(RequestId request) {
  std::vector<RequestId> unfiled;
  RequestId at = request;
  while (!requests_[at].has_line) {
    unfiled.push_back(at);
    if (!requests_[at].before) break;
    at = *requests_[at].before;
  }
  if (!requests_[at].has_line) {
    lines_.push_back({.crowd = 0, .front = {at}});
    requests_[at].line = lines_.size() - 1;
    for (const OwnerId holder : requests_[at].sharers) keep_share(holder, lines_.size() - 1);
  }
  const std::size_t line = requests_[at].line;
  for (const RequestId id : unfiled) {
    requests_[id].line = line;
    requests_[id].has_line = true;
  }
  return line;
}

void WaitGraph::keep_share(OwnerId owner, std::size_t line) {
  if (!is_stuck_owner(owner)) return;
  ++lines_[line].crowd;
  owners_[owner].crowds.push_back(line);
}

void WaitGraph::consider(RequestId request) {
  const Request& asked = requests_[request];
  if (!asked.stuck || asked.unmet > 0) return;
  if (asked.room > 0 && lines_[asked.line].crowd >= asked.room) return;
  ready_.push_back(request);
}

// It would be granted. Its owner leaves once none of its requests is stuck; until then it keeps its
// share of a semaphore.
void WaitGraph::release(RequestId id) {
  Request& request = requests_[id];
  Owner& owner = owners_[request.owner];
  request.stuck = false;
  --owner.stuck_requests;
  if (request.room > 0) {
    lines_[request.line].front = request.behind;
    keep_share(request.owner, request.line);
  }
  for (const RequestId behind : request.behind) {
    --requests_[behind].unmet;
    consider(behind);
  }
  if (owner.stuck_requests > 0) return;
  for (const RequestId freed : owner.in_the_way_of) {
    --requests_[freed].unmet;
    consider(freed);
  }
  for (const std::size_t line : owner.crowds) {
    --lines_[line].crowd;
    for (const RequestId front : lines_[line].front) consider(front);
  }
}

// Breadth first. Of the first owner only the request itself is followed: its older ones are not
// what is being asked.
std::optional<std::vector<WaitsFor>> WaitGraph::circle_from(RequestId request) const {
  const OwnerId goal = requests_[request].owner;
  std::vector<Step> steps(owners_.size());
  std::vector<OwnerId> reached{goal};
  const std::vector<RequestId> asked{request};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const OwnerId from = reached[next];
    for (const RequestId id : next == 0 ? asked : owners_[from].requests) {
      if (!requests_[id].stuck) continue;
      for (const Edge& edge : requests_[id].edges) {
        if (edge.to == goal) return path_to(goal, edge, from, steps);
        if (steps[edge.to].seen || !is_stuck_owner(edge.to)) continue;
        steps[edge.to] = {from, edge.key, true};
        reached.push_back(edge.to);
      }
    }
  }
  return std::nullopt;
}

std::vector<WaitsFor> WaitGraph::path_to(OwnerId goal, Edge last, OwnerId from,
                                         const std::vector<Step>& steps) const {
  std::vector<WaitsFor> path{{owners_[from].name, std::string{last.key}, owners_[goal].name}};
  for (OwnerId at = from; at != goal; at = steps[at].from) {
    const Step& step = steps[at];
    path.push_back({owners_[step.from].name, std::string{step.key}, owners_[at].name});
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace fencepost::state
