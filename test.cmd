@"%~dp0scripts\start.cmd" test %*
