#!/usr/bin/env bash
# Runs the README's commands as written in a fresh copy of what is committed: start, use, kill -9, find everything again.
set -euo pipefail
source=$(git rev-parse --show-toplevel)
folder=$(mktemp -d)
server='' job=''
set -m # each job has its own process group
# Stops every started process, so that nothing is written any more.
cleanup() {
  if [ -n "$job" ]; then kill -- "-$job" 2>/dev/null || true; fi
  wait
  rm -rf "$folder"
}
trap cleanup EXIT
git clone -q "$source" "$folder/davit"
cd "$folder/davit"

# block N: the N-th shell block of the README.
block() { awk -v n="$1" '/^```sh$/ { if (++i == n) { on = 1; next } } /^```$/ { on = 0 } on' README.md; }

# The README uses port 6443. It may be in use during a test, so the test uses its own port.
port=$((20000 + RANDOM % 20000))
log=$folder/server.log
# start COMMAND: runs it until the server is ready.
start() {
  : > "$log"
  (eval "$1 --port $port") > "$log" 2>&1 &
  job=$!
  until grep -q 'is ready' "$log" || ! kill -0 "$job" 2>/dev/null; do sleep 0.2; done
  grep -a 'is ready' "$log" || { cat "$log"; return 1; }
  server=$(cat .davit/pid)
}

start "$(block 1) --"
eval "$(block 2)"
kubectl get crontab my-crontab -o jsonpath='{.spec.cronSpec}{"\n"}' > "$folder/before"
kill -9 "$server"
start "$(block 1) --"
kubectl get crontab my-crontab -o jsonpath='{.spec.cronSpec}{"\n"}' > "$folder/after"
cmp "$folder/before" "$folder/after"
kubectl create namespace readme-check
kubectl delete namespace readme-check --timeout=30s
echo 'what was acknowledged is there after kill -9'
kill "$server"
wait "$job" || true
start "$(block 3)"
eval "$(block 4)"
echo 'pods run on simulated nodes'
changed=$(git status --porcelain)
[ -z "$changed" ] || { echo "the README's commands changed the checkout:"; echo "$changed"; exit 1; }
