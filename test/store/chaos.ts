import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '#lib/machinery/defined.ts';
import type { SequenceStore, Version } from '#lib/storage/sequence.ts';
import { eventually } from '#test/support/eventually.ts';
import { type ActorOptions, type Plant, RECORDER } from './actor-options.ts';
import { type Actor, Actors } from './actors.ts';
import { openBackend } from './backend.ts';
import { violations } from './checker.ts';
import type { History, Seen } from './history.ts';
import { randomFrom } from './random.ts';
import { patiently } from './writer.ts';

export interface ChaosOptions {
  readonly url: string;
  /** The directory of the histories. */
  readonly directory: string;
  /** The minimum duration. */
  readonly milliseconds: number;
  /** The minimum number of versions at the end. A busy machine takes longer to reach it. */
  readonly versions: number;
  readonly seed: number;
  readonly writers: number;
  readonly watchers: number;
  /** The longest suspension of a process in ms, which exceeds the retention; 0 suspends no process. */
  readonly suspension: number;
  /** A bug in every process with this role. */
  readonly plant?: Plant;
}

export interface ChaosReport {
  /** Violations that the checker found, and processes that failed without being killed. */
  readonly violations: readonly string[];
  readonly changes: number;
  readonly acknowledged: number;
  readonly killed: number;
  readonly suspended: number;
  readonly fresh: number;
  /** The number of times that a watcher had to reload because its next version had been compacted. */
  readonly lagged: number;
}

const SEQUENCE = 'main//things';

/** Runs writers and watchers on one sequence, kills and suspends them at random, and checks their operations and observations. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const run = new Run(options);
  await run.begin();
  await run.disturb();
  return run.end();
}

class Run {
  readonly #options: ChaosOptions;
  readonly #actors = new Actors();
  readonly #random: () => number;
  readonly #stopFile: string;
  #store: SequenceStore | undefined;
  /** A watcher that is suspended once, during a whole compaction, and then left alone. */
  #sleeper: Actor | undefined;
  #started = 0;
  #killed = 0;
  #suspended = 0;

  constructor(options: ChaosOptions) {
    this.#options = options;
    this.#random = randomFrom(options.seed);
    this.#stopFile = join(options.directory, `stop-${options.seed}`);
  }

  /** The recorder's cursor exists before any entry can be removed. */
  async begin(): Promise<void> {
    const { url, writers, watchers } = this.#options;
    this.#store = await openBackend(url);
    await this.#store.sequence(SEQUENCE).marks.moveCursor(RECORDER, undefined, 0);
    this.#start('recorder');
    for (let i = 0; i < writers; i++) this.#start('writer');
    for (let i = 0; i < watchers; i++) this.#start('watcher');
    await Promise.all(this.#actors.all.map(({ ready }) => ready));
  }

  async disturb(): Promise<void> {
    const { milliseconds, versions, suspension } = this.#options;
    const end = performance.now() + milliseconds;
    await eventually(async () => (await this.#head()) >= versions / 10);
    if (suspension > 0) this.#sleeper = this.#suspend(this.#actors.alive('watcher')[0], suspension);
    while (performance.now() < end) {
      await sleep(100 + this.#random() * 400);
      if (suspension > 0) this.#disturbOne(end - performance.now());
    }
    await eventually(async () => (await this.#head()) >= versions);
  }

  async #head(): Promise<Version> {
    return patiently(async () => (await this.#store?.sequence(SEQUENCE).head()) ?? 0);
  }

  #disturbOne(left: number): void {
    const role = this.#random() < 0.6 ? 'writer' : 'watcher';
    const living = this.#actors.alive(role).filter((actor) => actor.isReady() && actor !== this.#sleeper);
    const victim = living[Math.floor(this.#random() * living.length)];
    if (victim === undefined) return;
    if (this.#random() < 0.4) {
      this.#killed++;
      victim.process.kill('SIGKILL');
      this.#start(role);
      return;
    }
    this.#suspend(victim, Math.min(left, this.#random() * this.#options.suspension));
  }

  #suspend(actor: Actor | undefined, milliseconds: number): Actor | undefined {
    this.#suspended++;
    actor?.process.kill('SIGSTOP');
    setTimeout(() => actor?.process.kill('SIGCONT'), Math.max(milliseconds, 1));
    return actor;
  }

  async end(): Promise<ChaosReport> {
    writeFileSync(`${this.#stopFile}.writers`, '0');
    await Promise.all(
      this.#actors.alive('writer').map(({ process: child }) => new Promise((done) => child.once('exit', done))),
    );
    writeFileSync(this.#stopFile, String(await this.#head()));
    const failures = await this.#actors.finish();
    await this.#store?.close();
    return this.#report(failures, this.#actors.histories());
  }

  #report(failures: string[], histories: readonly History[]): ChaosReport {
    const count = (kind: string): number =>
      histories.reduce((sum, { events }) => sum + events.filter((event) => event.kind === kind).length, 0);
    const log = recorded(histories);
    return {
      violations: [...failures, ...violations(log, histories)],
      changes: log.length,
      acknowledged: count('ack'),
      killed: this.#killed,
      suspended: this.#suspended,
      fresh: count('fresh'),
      lagged: histories.reduce((sum, history) => sum + Math.max(0, loadsOf(history) - 1), 0),
    };
  }

  #start(role: ActorOptions['role']): void {
    const { url, directory, seed, suspension, plant } = this.#options;
    const actor = `${role}${++this.#started}`;
    this.#actors.start({
      role,
      actor,
      url,
      sequence: SEQUENCE,
      seed: seed * 1_000 + this.#started,
      file: join(directory, `${seed}-${actor}`),
      stopFile: role === 'writer' ? `${this.#stopFile}.writers` : this.#stopFile,
      faults: role !== 'recorder' && (suspension > 0 || plant === 'early-ack'),
      ...defined({ plant }),
    });
  }
}

const loadsOf = ({ events }: History): number => events.filter(({ kind }) => kind === 'load').length;

function recorded(histories: readonly History[]): Seen[] {
  const [recorder] = histories.filter(({ actor }) => actor.startsWith('recorder'));
  return (recorder?.events ?? []).flatMap((event) => (event.kind === 'seen' ? event.changes : []));
}
