/** A process that the kernel killed because of an OOM. */
export interface OOM {
  /** The cgroup whose limit was reached, or `/` if the machine itself ran out of memory. */
  readonly victim: string;
  readonly process: string;
  readonly pid: number;
}

const FIRST = 'invoked oom-killer:';
const CONTAINER =
  /oom-kill:constraint=.*,nodemask=.*,cpuset=.*,mems_allowed=.*,oom_memcg=(.*),task_memcg=.*,task=(.*),pid=([0-9]+),uid=/;
const LEGACY_CONTAINER = /Task in .* killed as a result of limit of (.*)/;
const LAST = /Killed process ([0-9]+) \((.+)\)/;

/** Finds OOM kills in the messages of the kernel's log, which has several for each kill (upstream: oomparser). */
export class OOMParser {
  /** The cgroup of the kill whose messages are being read, or undefined between kills. */
  #victim: string | undefined;

  /** Handles the next message. Returns the kill that it completes. */
  take(message: string): OOM | undefined {
    if (this.#victim === undefined) {
      if (message.includes(FIRST)) this.#victim = '/';
      return undefined;
    }
    const found = killedIn(message, this.#victim);
    if (found !== undefined) this.#victim = undefined;
    else this.#victim = LEGACY_CONTAINER.exec(message)?.[1] ?? this.#victim;
    return found;
  }
}

function killedIn(message: string, known: string): OOM | undefined {
  const [, victim, task = '', taskPid = ''] = CONTAINER.exec(message) ?? [];
  if (victim !== undefined) return { victim, process: task, pid: Number(taskPid) };
  const [, pid, process = ''] = LAST.exec(message) ?? [];
  return pid === undefined ? undefined : { victim: known, process, pid: Number(pid) };
}
