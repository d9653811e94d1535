// SPDX-License-Identifier: GPL-3.0-or-later
// The same filter, grouping and order as assay's, on simdjson's streaming parser: what a tally of a club's feed costs
// when somebody else's scanner reads it. It validates what simdjson validates, and trusts the rest.
// usage: club_simdjson FEED.ndjson
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

struct Tally {
  int64_t rides = 0, distance = 0, moving = 0, elevation = 0, longest = 0;
};

bool cycling(std::string_view sport) {
  for (std::string_view one : {"Ride", "MountainBikeRide", "GravelRide", "EBikeRide", "EMountainBikeRide",
                               "VirtualRide", "Handcycle", "Velomobile"})
    if (sport == one) return true;
  return false;
}

class Club {
 public:
  void add(simdjson::ondemand::document_reference activity) {
    auto athlete = activity["athlete"];
    std::string_view first = athlete["firstname"], last = athlete["lastname"];
    double distance = activity["distance"];
    int64_t moving = activity["moving_time"];
    double elevation = activity["total_elevation_gain"];
    std::string_view sport = activity["sport_type"];
    if (!cycling(sport)) return;
    key.assign(first).append(1, '\n').append(last);
    auto [place, isNew] = indices.try_emplace(key, tallies.size());
    if (isNew) tallies.emplace_back();
    Tally &tally = tallies[place->second];
    auto decimetres = static_cast<int64_t>(distance * 10 + 0.5);
    tally.rides++;
    tally.distance += decimetres;
    tally.moving += moving;
    tally.elevation += static_cast<int64_t>(elevation * 10 + 0.5);
    tally.longest = std::max(tally.longest, decimetres);
  }

  void print() const {
    std::vector<std::pair<const std::string *, const Tally *>> order;
    for (const auto &[name, index] : indices) order.emplace_back(&name, &tallies[index]);
    std::sort(order.begin(), order.end(), [](const auto &left, const auto &right) {
      return left.second->distance != right.second->distance ? left.second->distance > right.second->distance
                                                             : *left.first < *right.first;
    });
    for (const auto &[name, tally] : order) {
      auto cut = name->find('\n');
      std::printf("%s,%s,%ld,%ld,%ld,%ld,%ld\n", name->substr(0, cut).c_str(), name->substr(cut + 1).c_str(),
                  tally->rides, tally->distance, tally->moving, tally->elevation, tally->longest);
    }
  }

 private:
  std::string key;
  std::unordered_map<std::string, size_t> indices;
  std::vector<Tally> tallies;
};

}  // namespace

int main(int count, char **arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: club_simdjson FEED.ndjson\n"), 64;
  std::FILE *file = std::fopen(arguments[1], "rb");
  if (!file) return std::perror(arguments[1]), 1;
  constexpr size_t chunk = 1 << 20;
  std::vector<char> bytes(2 * chunk + simdjson::SIMDJSON_PADDING);
  simdjson::ondemand::parser parser;
  Club club;
  size_t held = 0, lines = 0;
  try {
    for (;;) {
      const size_t got = std::fread(bytes.data() + held, 1, chunk, file);
      held += got;
      if (held == 0) break;
      const char *end = got == 0 ? bytes.data() + held - 1
                                 : static_cast<const char *>(memrchr(bytes.data(), '\n', held));
      if (!end) return std::fprintf(stderr, "club_simdjson: a line of over a MiB\n"), 1;
      const size_t whole = static_cast<size_t>(end - bytes.data()) + 1;
      simdjson::ondemand::document_stream activities;
      if (auto error = parser.iterate_many(bytes.data(), whole, 2 * chunk).get(activities))
        throw simdjson::simdjson_error(error);
      for (auto activity : activities) {
        club.add(activity.value());
        lines++;
      }
      std::memmove(bytes.data(), bytes.data() + whole, held - whole);
      held -= whole;
      if (got == 0) break;
    }
  } catch (const simdjson::simdjson_error &error) {
    return std::fprintf(stderr, "club_simdjson: line %zu: %s\n", lines + 1, error.what()), 1;
  }
  std::fclose(file);
  club.print();
  return 0;
}
