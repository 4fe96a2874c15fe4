# What every room is built with, and the two words that CMakeLists.txt is written in: room() and program().

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(FENCEPOST_TESTS "Build the tests" ON)
option(FENCEPOST_BENCH "Build the benchmarks" OFF)
option(FENCEPOST_FUZZ "Build the fuzz targets (clang only)" OFF)
set(FENCEPOST_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(uv REQUIRED IMPORTED_TARGET libuv)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
# Lua built as C++: its errors are exceptions, so that what a C++ function holds is given back when one passes through.
pkg_check_modules(lua REQUIRED IMPORTED_TARGET lua5.1-c++)

add_library(fencepost_options INTERFACE)
target_compile_options(fencepost_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Wnon-virtual-dtor
  -Werror -fno-omit-frame-pointer)
target_include_directories(fencepost_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_definitions(fencepost_options INTERFACE FENCEPOST_VERSION="${PROJECT_VERSION}")
if(FENCEPOST_SANITIZE)
  target_compile_options(fencepost_options INTERFACE -fsanitize=${FENCEPOST_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(fencepost_options INTERFACE -fsanitize=${FENCEPOST_SANITIZE})
endif()

# room(NAME DEPENDS room... LIBRARIES target...): a static library of the folder's sources, main.cc aside.
function(room NAME)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${NAME}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(sources)
    add_library(${NAME} STATIC ${sources})
    target_link_libraries(${NAME} PUBLIC fencepost_options ${ROOM_DEPENDS} ${ROOM_LIBRARIES})
  else()
    add_library(${NAME} INTERFACE)
    target_link_libraries(${NAME} INTERFACE fencepost_options ${ROOM_DEPENDS} ${ROOM_LIBRARIES})
  endif()
endfunction()

# program(NAME SOURCE ROOM room): an executable at the top of the build folder.
function(program NAME SOURCE)
  cmake_parse_arguments(PROGRAM "" "ROOM" "" ${ARGN})
  add_executable(${NAME} ${SOURCE})
  target_link_libraries(${NAME} PRIVATE ${PROGRAM_ROOM} Threads::Threads)
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()
