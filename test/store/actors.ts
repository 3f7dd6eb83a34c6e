import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mortal } from '#test/support/mortal.ts';
import { ACTOR_PROGRAM, type ActorOptions } from './actor-options.ts';
import { type History, readHistory } from './history.ts';

export interface Actor {
  readonly options: ActorOptions;
  readonly process: ChildProcess;
  /** Resolves when the process has opened the store or has ended. */
  readonly ready: Promise<unknown>;
  readonly isReady: () => boolean;
  /** The standard error so far. */
  readonly errors: () => string;
}

/** The processes of one run, including dead ones. */
export class Actors {
  readonly all: Actor[] = [];

  start(options: ActorOptions): Actor {
    const args = [ACTOR_PROGRAM, JSON.stringify(options)];
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache') };
    const child = mortal(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    let isReady = false;
    const ready = Promise.race([once(child.stdout, 'data'), once(child, 'exit')]).then(() => (isReady = true));
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const actor = { options, process: child, ready, isReady: () => isReady, errors: () => text };
    this.all.push(actor);
    return actor;
  }

  alive(role: ActorOptions['role']): Actor[] {
    return this.all.filter(({ options, process: { exitCode, signalCode } }) => {
      return options.role === role && exitCode === null && signalCode === null;
    });
  }

  /** Kills the processes without warning, like a power failure, and waits until they have ended. */
  async kill(victims: readonly Actor[]): Promise<void> {
    const gone = victims.map(({ process: child }) => once(child, 'exit'));
    for (const { process: child } of victims) child.kill('SIGKILL');
    await Promise.all(gone);
  }

  /** Waits for the running processes, and returns those that failed. */
  async finish(): Promise<string[]> {
    const running = (['writer', 'watcher', 'recorder'] as const).flatMap((role) => this.alive(role));
    await Promise.all(running.map(({ process: child }) => once(child, 'exit')));
    const failed = this.all.filter(({ process: child }) => child.signalCode !== 'SIGKILL' && child.exitCode !== 0);
    return failed.map(({ options, errors }) => `${options.actor} failed: ${errors()}`);
  }

  histories(): History[] {
    return this.all.map(({ options }) => readHistory(options.actor, options.file));
  }
}
