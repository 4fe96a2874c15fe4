// CONFIG REWRITE on disk.
#include "server/config_rewrite.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace fencepost::server {
namespace {

namespace files = std::filesystem;

class ConfigRewrite : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = files::path{testing::TempDir()} /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    files::remove_all(folder_);
    files::create_directories(folder_);
  }
  void TearDown() override { files::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  static void write(const std::string& path, std::string_view text) { std::ofstream{path} << text; }
  static std::string read(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
  }
  std::ptrdiff_t file_count() const {
    return std::distance(files::directory_iterator{folder_}, files::directory_iterator{});
  }

  files::path folder_;
};

TEST_F(ConfigRewrite, ReplacesTheFileAndKeepsItsMode) {
  const std::string file = path("fencepost.conf");
  write(file, "# mine\ntimeout 5\n");
  files::permissions(
      file, files::perms::owner_read | files::perms::owner_write | files::perms::group_read);
  commands::Settings settings;
  settings.values.timeout_s = 7;
  ASSERT_TRUE(rewrite_config_file(file, settings));
  EXPECT_EQ(read(file), "# mine\ntimeout 7\n");
  EXPECT_EQ(files::status(file).permissions(),
            files::perms::owner_read | files::perms::owner_write | files::perms::group_read);
  EXPECT_EQ(file_count(), 1) << "nothing is left beside it";
}

TEST_F(ConfigRewrite, KeepsASymbolicLink) {
  write(path("real.conf"), "timeout 5\n");
  files::create_symlink("real.conf", path("link.conf"));
  ASSERT_TRUE(rewrite_config_file(path("link.conf"), commands::Settings{}));
  EXPECT_TRUE(files::is_symlink(path("link.conf")));
  EXPECT_EQ(read(path("real.conf")), "timeout 0\n");
}

TEST_F(ConfigRewrite, MakesAFileThatOnlyItsOwnerReads) {
  const std::string file = path("new.conf");
  commands::Settings settings;
  settings.values.password = "sesame";
  ASSERT_TRUE(rewrite_config_file(file, settings));
  EXPECT_EQ(read(file), "# Added by CONFIG REWRITE\nrequirepass sesame\n");
  EXPECT_EQ(files::status(file).permissions(),
            files::perms::owner_read | files::perms::owner_write);
}

TEST_F(ConfigRewrite, SaysWhyItCannot) {
  const Result<void> done = rewrite_config_file(path("nosuch/f.conf"), commands::Settings{});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "No such file or directory");
}

}  // namespace
}  // namespace fencepost::server
