/* The macros in C++: early returns, exceptions, templates, lambdas, methods. */
#include <check.h>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "recorder_fixture.h"

namespace
{

int returns_early(int value)
{
    LUDUS_PROFILE_FUNCTION(LUDUS_PROFILE_CAT(Cpp));
    if (value == 0)
        return 0;
    LUDUS_PROFILE_SCOPE(rest of it);
    return value;
}

void throws_at(int depth)
{
    LUDUS_PROFILE_SCOPE(may throw);
    if (depth == 0)
        throw std::runtime_error("deep");
    throws_at(depth - 1);
}

template <typename T> T doubled(T value)
{
    LUDUS_PROFILE_SCOPE(doubled);
    return value + value;
}

struct Actor {
    int ticks = 0;
    Actor()
    {
        LUDUS_PROFILE_SCOPE(Actor::Actor());
    }
    ~Actor()
    {
        LUDUS_PROFILE_SCOPE(Actor::~Actor());
    }
    void tick()
    {
        LUDUS_PROFILE_FUNCTION();
        ticks++;
    }
};

/* "+name -" for begins and ends, in order. */
std::string transcript(const struct summary *summary, const struct summary_track *track)
{
    std::string text;
    for (size_t i = 0; i < track->count; i++) {
        const struct summary_event &event = track->events[i];
        text += event.kind == LCAP_EVENT_END ? "-" : event.kind == LCAP_EVENT_BEGIN ? "+" : "!";
        if (event.site != 0)
            text += summary_text(summary, summary->sites[event.site - 1].name);
        text += ' ';
    }
    return text;
}

std::string record(const char *name, void (*body)())
{
    const struct ludus_recorder_config config = fixture_config(name);
    struct ludus_recorder_result result;
    fixture_start(&config);
    body();
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(result.scopes_open, 0);
    ck_assert_uint_eq(summary->track_count, 1);
    const std::string text = transcript(summary, &summary->tracks[0]);
    summary_free(summary);
    return text;
}

} // namespace

START_TEST(scopes_close_on_early_returns)
{
    const std::string text = record("return.lcap", [] {
        returns_early(0);
        returns_early(1);
    });
    ck_assert_str_eq(text.c_str(), "+returns_early - +returns_early +rest of it - - ");
}
END_TEST

START_TEST(scopes_close_when_an_exception_passes)
{
    const std::string text = record("throw.lcap", [] {
        try {
            LUDUS_PROFILE_SCOPE(try block);
            throws_at(2);
        } catch (const std::runtime_error &) {
            LUDUS_PROFILE_MARK(caught);
        }
    });
    ck_assert_str_eq(text.c_str(), "+try block +may throw +may throw +may throw - - - - !caught ");
}
END_TEST

START_TEST(templates_methods_and_lambdas_can_be_instrumented)
{
    const std::string text = record("forms.lcap", [] {
        const auto lambda = [](int value) {
            LUDUS_PROFILE_SCOPE(in a lambda);
            return value + 1;
        };
        doubled(1);
        doubled(std::string("a"));
        {
            Actor actor;
            actor.tick();
        }
        lambda(1);
    });
    ck_assert_str_eq(text.c_str(), "+doubled - +doubled - +Actor::Actor() - +tick - "
                                   "+Actor::~Actor() - +in a lambda - ");
}
END_TEST

START_TEST(instances_of_a_template_are_one_site)
{
    const struct ludus_recorder_config config = fixture_config("template.lcap");
    struct ludus_recorder_result result;
    fixture_start(&config);
    doubled(1);
    doubled(2.5);
    struct summary *summary = fixture_stop_and_read(&result);
    ck_assert_uint_eq(summary->tracks[0].events[0].site, summary->tracks[0].events[2].site);
    summary_free(summary);
}
END_TEST

int main()
{
    Suite *suite = suite_create("recording in C++");
    TCase *cases = tcase_create("recording in C++");
    tcase_add_checked_fixture(cases, fixture_setup, fixture_teardown);
    tcase_add_test(cases, scopes_close_on_early_returns);
    tcase_add_test(cases, scopes_close_when_an_exception_passes);
    tcase_add_test(cases, templates_methods_and_lambdas_can_be_instrumented);
    tcase_add_test(cases, instances_of_a_template_are_one_site);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
