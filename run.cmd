@"%~dp0scripts\start.cmd" run %*
