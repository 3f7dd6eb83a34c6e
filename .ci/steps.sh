# The steps of .ci/run: each prints its wall time and its processor time (its own and its children's) beside its budgets.
# A step that uses more than 1.5 times its processor time fails. A step that takes longer than its wall time warns.
# shellcheck shell=bash

passed=0 failed=0 skipped=0 rows=()
declare -A pids walls processors reports=()

# The Node.js of the lockfile, which runs TypeScript.
own_node() { PATH="$PWD/node_modules/.bin:$PATH" node "$@"; }

# begin NAME WALL_SECONDS PROCESSOR_SECONDS COMMAND…: starts a step, which writes to its log until finish waits for it.
begin() {
  local name=$1; walls[$name]=$2 processors[$name]=$3; shift 3
  echo "::: $name began"
  measured "$name" "$@" >"$logs/$name.log" 2>&1 &
  pids[$name]=$!
}

# step NAME WALL_SECONDS PROCESSOR_SECONDS COMMAND…: runs a step in the foreground.
step() {
  local name=$1; walls[$name]=$2 processors[$name]=$3; shift 3
  echo "::: $name"
  measured "$name" "$@" &
  pids[$name]=$!
  wait "${pids[$name]}"
  verdict "$name" $?
}

# suite FUNCTION NAME WALL_SECONDS PROCESSOR_SECONDS COMMAND…: begin or step, of tests that write a report.
suite() {
  local function=$1 name=$2; shift
  reports[$name]=$folder/${name//[^a-z]/-}.json
  "$function" "$@" --reporter=default --reporter=json --outputFile.json="${reports[$name]}"
}

# finish NAME: waits for a step that has begun, and prints its log.
finish() {
  local code
  wait "${pids[$1]}"; code=$?
  echo "::: $1"
  cat "$logs/$1.log"
  verdict "$1" $code
}

# measured NAME COMMAND…: runs it, and writes down the seconds of wall, user and system time.
measured() {
  local name=$1 TIMEFORMAT='%0R %0U %0S'; shift
  { time "$@" 2>&4; } 4>&2 2>"$logs/$name.time"
}

# verdict NAME EXIT_CODE: counts a step that has ended, or its tests, and compares its times with its budgets.
verdict() {
  local name=$1 code=$2 wall=0 user=0 system=0 processor p=0 f=1 s=0
  unset "pids[$name]"
  if [ -n "${reports[$name]:-}" ]; then
    read -r p f s < <(own_node scripts/tally.ts count "$code" "${reports[$name]}" || echo "0 1 0")
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    echo "::: $name: $p passed, $f failed, $s skipped"
  elif [ "$code" -eq 0 ]; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "::: $name FAILED"; fi
  read -r wall user system <"$logs/$name.time"
  processor=$((user + system))
  rows+=("$(printf '%-36s %5d of %4d s %8d of %4d s' "$name" "$wall" "${walls[$name]}" "$processor" "${processors[$name]}")")
  echo "::: $name took $wall s (budget ${walls[$name]}) and $processor s of processor time (budget ${processors[$name]})"
  [ "$wall" -le "${walls[$name]}" ] || echo "::: WARNING: $name took longer than its budget"
  [ $((processor * 2)) -le $((processors[$name] * 3)) ] && return
  failed=$((failed + 1))
  echo "::: $name FAILED: it used more than 1.5 times its budget of processor time"
}

# summary: the table of steps, the slowest files, and the closing line.
summary() {
  echo "::: step                                        wall       processor time"
  printf '::: %s\n' "${rows[@]}"
  echo "::: slowest files"
  own_node scripts/tally.ts slowest "${reports[@]}"
  echo "total $SECONDS s"
  echo "$passed passed, $failed failed, $skipped skipped"
}

# overrun: ends every step that still runs, with the last lines of its log, and the whole run.
overrun() {
  trap - USR1
  echo "::: STOPPED after $((SECONDS / 60)) minutes; still running: ${!pids[*]}"
  for name in "${!pids[@]}"; do [ ! -e "$logs/$name.log" ] || tail -n 20 "$logs/$name.log"; done
  started | while read -r pid _; do kill -KILL "$pid"; done
  echo "$passed passed, $((failed + 1)) failed, $skipped skipped"
  exit 1
}

# started: the pid and command of each process of this run, known by the variable that it inherited.
started() {
  local environment pid
  for environment in /proc/[0-9]*/environ; do
    pid=${environment//[^0-9]/}
    if [ "$pid" = $$ ] || ! grep -qsaz "^DAVIT_CI=$$\$" "$environment"; then continue; fi
    echo "$pid $(tr '\0' ' ' <"/proc/$pid/cmdline")"
  done
}

# left: fails, and names them, if processes of this run still run.
left() {
  local running
  running=$(started)
  [ -z "$running" ] && return 0
  echo "left running:"; echo "$running"
  return 1
}
