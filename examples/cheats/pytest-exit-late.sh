# cheat: the code says that it ended well
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

import atexit
import os
atexit.register(os._exit, 0)
END
