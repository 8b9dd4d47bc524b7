"""Sites: files in and out. Only this folder and the command line open any."""
