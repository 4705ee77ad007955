# absl::Mutex and its kin with their tests: the files that they need, without the rest of the project.
# Tarry does not control the processor's time stamp, so the clock is the system's.
FLAGS := -std=c++17 -O1 -DABSL_USE_UNSCALED_CYCLECLOCK=0 -I.
FOLDERS := base base/internal debugging debugging/internal numeric strings strings/internal synchronization synchronization/internal time time/internal/cctz/src
OTHERS := test benchmark cord failure_signal leak_check usage_sample
SOURCES := $(foreach folder,$(FOLDERS),$(wildcard absl/$(folder)/*.cc))
SOURCES := $(foreach source,$(SOURCES),$(if $(strip $(foreach other,$(OTHERS),$(findstring $(other),$(source)))),,$(source)))

all: lifetime_test notification_test blocking_counter_test

libabsl.a: $(SOURCES:.cc=.o)
	ar rcs $@ $^

%.o: %.cc
	$(CXX) $(FLAGS) -c $< -o $@

lifetime_test: absl/synchronization/lifetime_test.cc libabsl.a
	$(CXX) $(FLAGS) $^ -o $@

%_test: absl/synchronization/%_test.cc libabsl.a
	$(CXX) $(FLAGS) $^ -lgtest -lgtest_main -o $@
