import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onAbort } from '#lib/machinery/wait/on-abort.ts';
import type { InhibitLock, Logind } from '#lib/node/kubelet/nodeshutdown/logind.ts';
import { runCommand } from '../programs/command.ts';

const LOGIND = ['org.freedesktop.login1', '/org/freedesktop/login1', 'org.freedesktop.login1.Manager'] as const;
const SYSTEMD = ['org.freedesktop.systemd1', '/org/freedesktop/systemd1', 'org.freedesktop.systemd1.Manager'] as const;
const MATCH = `type='signal',interface='${LOGIND[2]}',member='PrepareForShutdown',path='${LOGIND[1]}'`;
const SIGHUP = '1';

/** The programs that communicate with logind, and the folder of its configuration. */
export interface HostLogindOptions {
  /** Default: busctl. */
  readonly busctl?: string;
  /** Default: systemd-inhibit. */
  readonly inhibit?: string;
  /** Default: /etc/systemd/logind.conf.d. */
  readonly configuration?: string;
}

/** The machine's logind via systemd's own programs. Methods reject if these are missing or fail. */
export class HostLogind implements Logind {
  readonly #busctl: string;
  readonly #inhibit: string;
  readonly #configuration: string;

  constructor({
    busctl = 'busctl',
    inhibit = 'systemd-inhibit',
    configuration = '/etc/systemd/logind.conf.d',
  }: HostLogindOptions = {}) {
    this.#busctl = busctl;
    this.#inhibit = inhibit;
    this.#configuration = configuration;
  }

  async currentInhibitDelay(): Promise<number> {
    const output = await this.#call('get-property', ...LOGIND, 'InhibitDelayMaxUSec');
    const microseconds = /^t (\d+)$/m.exec(output)?.[1];
    if (microseconds === undefined) throw new Error('InhibitDelayMaxUSec from logind is not a uint64 as expected');
    return Number(microseconds) / 1000;
  }

  async overrideInhibitDelay(milliseconds: number): Promise<void> {
    await mkdir(this.#configuration, { recursive: true, mode: 0o755 });
    const text = `# Kubelet logind override\n[Login]\nInhibitDelayMaxSec=${Math.round(milliseconds / 1000)}\n`;
    await writeFile(join(this.#configuration, '99-kubelet.conf'), text, { mode: 0o644 });
    await this.#call('call', ...SYSTEMD, 'KillUnit', 'ssi', 'systemd-logind.service', 'all', SIGHUP);
  }

  /** Takes the lock in a child process that holds it until its input ends. So any end of this process releases the lock. */
  inhibitShutdown(): Promise<InhibitLock> {
    const why = '--why=Kubelet needs time to handle node shutdown';
    const child = spawn(this.#inhibit, ['--what=shutdown', '--who=kubelet', why, '--mode=delay', 'cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`failed creating systemd inhibitor: ${error.message}`)));
      child.once('exit', (status) => reject(new Error(`failed creating systemd inhibitor: exit status ${status}`)));
      child.stdin.on('error', () => undefined); // its exit event reports the end
      // The echo shows that the lock is held, because the program under the lock is running.
      child.stdout.once('data', () => resolve({ release: () => void child.stdin.end() }));
      child.stdin.write('held\n');
    });
  }

  async *monitorShutdown(signal: AbortSignal): AsyncGenerator<boolean> {
    const child = spawn(this.#busctl, ['monitor', '--json=short', '--match', MATCH], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const failed = new Promise<Error | undefined>((resolve) => {
      child.once('error', (error) => resolve(new Error(`failed to monitor shutdown: ${error.message}`)));
      child.once('exit', () => resolve(undefined));
    });
    const end = (): void => void child.kill();
    using _listener = onAbort(signal, end);
    try {
      // The line of a message ends only when the next message starts, so text is processed as it arrives.
      let rest = '';
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        const { signals, open } = preparesForShutdown(rest + String(chunk));
        rest = open;
        yield* signals;
      }
      const error = await failed;
      if (error !== undefined) throw error;
    } finally {
      end();
    }
  }

  async #call(...args: readonly string[]): Promise<string> {
    const { failure, output } = await runCommand(this.#busctl, args);
    if (failure !== undefined) throw new Error(`cannot ask logind: ${failure}: ${output.trim()}`);
    return output;
  }
}

/** Maximum characters of a message. */
const MAX_MESSAGE = 65_536;
const SIGNAL = /"member":"PrepareForShutdown","payload":\{"type":"b","data":\[(true|false)\]\}/g;

/** Returns the arguments of the signals in busctl's output, and the text that may be the start of the next signal. */
export function preparesForShutdown(text: string): { readonly signals: readonly boolean[]; readonly open: string } {
  const found = [...text.matchAll(SIGNAL)];
  const last = found.at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  return { signals: found.map(([, value]) => value === 'true'), open: text.slice(end).slice(-MAX_MESSAGE) };
}
