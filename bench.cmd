@"%~dp0scripts\start.cmd" bench %*
