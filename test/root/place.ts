import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { eventually } from '#test/support/eventually.ts';
import { CGROUP, FOLDERS, HOST, HOST6 } from './setup.ts';

/** The namespaces of a host's programs. */
export interface Place {
  /** 1 for the tests' own namespaces, which are also a host. */
  readonly number: number;
  /** The address of the host on the bridge host0, which all hosts share. */
  readonly address: string;
  /** Its IPv6 address on that bridge. */
  readonly address6: string;
  /** The parent cgroup of the host's pods. */
  readonly cgroup: string;
  /** The command line that runs a program in these namespaces. */
  command(program: string, args: readonly string[]): readonly [program: string, args: readonly string[]];
}

/** The tests' own namespaces. */
export const HERE: Place = {
  number: 1,
  address: HOST,
  address6: HOST6,
  cgroup: `/${CGROUP}`,
  command: (program, args) => [program, args],
};

const MOUNTS = FOLDERS.map((folder) => `mount -t tmpfs -o mode=755 none ${folder}`);
const PREPARE = [...MOUNTS, 'mount --make-rshared /var/lib/kubelet', 'echo ready', 'exec sleep infinity'].join(' && ');

/** A network namespace and a mount namespace inside the tests' own, on the bridge host0. They end with their last process. */
export class HostPlace implements Place, AsyncDisposable {
  readonly number: number;
  readonly #holder: RunningProgram;

  private constructor(number: number, holder: RunningProgram) {
    this.number = number;
    this.#holder = holder;
  }

  /** Creates the namespaces of a host: empty folders, loopback, an address, and the first host as its router. */
  static async make(number: number): Promise<HostPlace> {
    const holder = new RunningProgram('unshare', ['--mount', '--net', 'sh', '-c', PREPARE]);
    await once(holder.child, 'spawn');
    await holder.says(/ready/);
    const place = new HostPlace(number, holder);
    const outer = `host${number}`;
    const ip = (...args: readonly string[]) => execFileSync('ip', args.join(' ').split(' '), { stdio: 'pipe' });
    ip(`link add ${outer} type veth peer name eth0 netns ${holder.child.pid}`);
    ip(`link set ${outer} master host0 up`);
    const own = [`addr add ${place.address}/24 dev eth0`, `addr add ${place.address6}/64 dev eth0 nodad`];
    for (const args of ['link set lo up', ...own, 'link set eth0 up']) place.run('ip', ...args.split(' '));
    place.run('ip', 'route', 'add', 'default', 'via', HOST);
    place.run('sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward');
    return place;
  }

  get address(): string {
    return HOST.replace(/\d+$/, String(this.number));
  }

  get address6(): string {
    return HOST6.replace(/\d+$/, String(this.number));
  }

  get cgroup(): string {
    return `/${CGROUP}/n${this.number}`;
  }

  command(program: string, args: readonly string[]): readonly [string, readonly string[]] {
    return ['nsenter', ['--mount', '--net', '--target', String(this.#holder.child.pid), '--', program, ...args]];
  }

  /** Runs a program on the host, and returns its output. Throws if it fails. */
  run(program: string, ...args: readonly string[]): string {
    return runIn(this, program, ...args);
  }

  /** Immediately kills every process of the host and of its pods, like a power failure. The kernel removes its namespaces. */
  async powerOff(): Promise<void> {
    const namespace = readlinkSync(`/proc/${this.#holder.child.pid}/ns/mnt`);
    const processes = (): number[] => processIds().filter((pid) => isIn(pid, namespace, `/n${this.number}/kubepods`));
    await eventually(() => {
      const left = processes();
      for (const pid of left) kill(pid);
      return left.length === 0;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#holder[Symbol.asyncDispose]();
  }
}

/** Runs a program to its end in a place, and returns its output. Throws if it fails. */
export function runIn(place: Place, program: string, ...args: readonly string[]): string {
  const [command, rest] = place.command(program, args);
  return execFileSync(command, rest, { encoding: 'utf8', stdio: 'pipe' });
}

const processIds = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);

/** Whether a process is in this mount namespace or below this cgroup; false for an ended process. */
function isIn(pid: number, namespace: string, cgroup: string): boolean {
  try {
    // A zombie process still has a cgroup, but no namespace.
    if (readlinkSync(`/proc/${pid}/ns/mnt`) === namespace) return true;
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(cgroup);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // the process has ended
  }
}
