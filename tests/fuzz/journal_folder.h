// A folder of journal files as one input of a fuzzer: taken apart, changed piece by piece, and put
// together again with the sums that a reader wants to see.
//
//   input = settings:u8 file*            settings: see journal_fuzz.cc
//   file  = kind:u8 index:u16 size:u16 bytes
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "journal/frame.h"

namespace fencepost::fuzz {

struct FolderFile {
  enum class Kind : std::uint8_t {
    segment,
    picture,
    unfinished_segment,
    unfinished_picture,
    fence_floor,
    set_aside,
    foreign
  };
  static constexpr std::uint8_t kKinds = 7;

  Kind kind = Kind::segment;
  std::uint16_t index = 1;  // of its name
  std::string bytes;
};

struct Folder {
  std::uint8_t settings = 0;
  std::vector<FolderFile> files;
};

Folder unpack(std::string_view input);
std::string pack(const Folder& folder);
// By name; of two with one name the later one counts. The last sixteen indexes that can be written
// stand for the last there are.
std::map<std::string, std::string> named_files(const Folder& folder);

// Sets the checksums of the header and of every frame to what they should be, so that whatever else
// is wrong is read.
void mend_sums(FolderFile& file);

// One change of the folder that leaves its sums right: of a payload, a head, a frame, a name, a
// file. `mutate` changes any bytes, to at most so many.
using Mutate = std::string (*)(std::string bytes, std::size_t most);
void change(Folder& folder, Random& random, Mutate mutate);

}  // namespace fencepost::fuzz
