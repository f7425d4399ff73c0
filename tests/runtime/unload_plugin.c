/* An instrumented library that comes and goes while its host records. */
#include <ludus/profile.h>

/* Called by the host by name. */
void plugin_update(void);

void plugin_update(void)
{
    LUDUS_PROFILE_SCOPE(Plugin/Update, LUDUS_PROFILE_CAT(Plugin));
    LUDUS_PROFILE_MARK(Plugin/Mark);
    LUDUS_PROFILE_FRAME(Plugin);
    LUDUS_PROFILE_COUNT(Plugin/Calls, 2);
    LUDUS_PROFILE_GAUGE(Plugin/Load, 0.5);
    LUDUS_PROFILE_FLOW_IN(LUDUS_PROFILE_FLOW_OUT(Plugin/Flow));
}
