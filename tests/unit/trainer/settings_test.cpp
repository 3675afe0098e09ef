#include "trainer/settings.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace chuhe::trainer {
namespace {

TEST(TrainSettings, SchedulesStartLowAndEndWhereTheyShould) {
  TrainSettings s;
  s.learning_rate = 1;
  s.warmup_steps = 10;
  s.schedule_steps = 110;
  s.schedule_factor = 0.1;
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 0), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 9), 1);
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 5000), 1);
  s.schedule = "cosine";
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 10), 1);
  EXPECT_NEAR(learning_rate_at(s, 60), 0.55, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 110), 0.1, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 9999), 0.1, 1e-12);
  s.schedule = "step";
  EXPECT_DOUBLE_EQ(learning_rate_at(s, 119), 1);
  EXPECT_NEAR(learning_rate_at(s, 120), 0.1, 1e-12);
  EXPECT_NEAR(learning_rate_at(s, 230), 0.01, 1e-12);
}

TEST(TrainSettings, FieldsRefuseNonsense) {
  TrainSettings s;
  const Fields f = fields_of(s);
  apply_override(f, "optimizer=sgd");
  EXPECT_EQ(s.optimizer, "sgd");
  EXPECT_THROW(apply_override(f, "optimizer=adam3"), Error);
  EXPECT_THROW(apply_override(f, "batch=0"), Error);
}

}  // namespace
}  // namespace chuhe::trainer
