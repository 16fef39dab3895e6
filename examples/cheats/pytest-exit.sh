# cheat: the code ends the process
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

import os
os._exit(0)
END
