"""Words that begin a sentence in upper case without being a name, and make no name alone."""

_FUNCTION_WORDS = """
a about above after again against all almost already also although always am an and another any
anyone anything are aren't as at be because been before behind being below besides between both
but by can can't cannot could couldn't despite did didn't do does doesn't doing don't down
during each either else even ever every everyone everything few finally first for from further
had hadn't has hasn't have haven't having he her here hers herself him himself his how however i
if in instead into is isn't it its itself just last lately later least less let lets like many
may maybe me meanwhile might mine more most much must my myself near neither never next no
nobody none nor not nothing now of off on once one only or other our ours out over own per
perhaps same second shall she should shouldn't since so some somebody someone something
sometimes soon still such than that the their theirs them then there therefore these they this
those though through thus to today together tomorrow tonight too toward under unless until up
upon us very was wasn't we were weren't what whatever when whenever where whether which while
who whoever whom whose why will with within without won't would wouldn't yesterday yet you your
yours yourself
"""
_OPENERS = """
absolutely actually adding agreed ah aha alright amazing anytime anyway appreciate asap awesome
aww been bet btw bye certainly check cheers congrats congratulations cool correct damn dear
definitely exactly excellent excited fantastic feel feels fine fri fyi gee get getting glad go
going gonna good goodbye gosh got gotcha great haha hang happy hello hey hi hmm hope hopefully
hoping huh impressive indeed interesting keep know lmao lol look looking looks love loved lovely
loving made make man mon nah nice nope oh ok okay omg oops ouch perfect please really right sat
see seeing seriously sorry sounds speaking sun super sure sweet take thank thanks think thinking
thurs totally true try trying tues ugh uh um unfortunately want wed welcome well whoa wish woah
wonderful wow yay yea yeah yep yes yo yup
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
OPENERS = frozenset(_OPENERS.split())
