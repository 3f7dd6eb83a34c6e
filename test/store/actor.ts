import { existsSync, readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { type AppendFault, type Faults, faultyStore } from '#lib/storage/memory/faults.ts';
import type { ActorOptions } from './actor-options.ts';
import { openBackend } from './backend.ts';
import { randomFrom } from './random.ts';
import { recordAll, watch } from './watcher.ts';
import { write } from './writer.ts';

/** One process of the randomized test. Its only argument has its options as JSON. */
const options = JSON.parse(process.argv[2] ?? '{}') as ActorOptions;
const random = randomFrom(options.seed);

/** Ends the process if its run is interrupted. */
const parent = process.ppid;
setInterval(() => process.ppid !== parent && process.exit(1), 1_000).unref();

const APPEND_FAULTS: readonly AppendFault[] = ['throttle', 'loseRequest', 'loseAnswer', 'conflict'];
const faults: Faults = {
  append: () => (random() < 0.15 ? (APPEND_FAULTS[Math.floor(random() * 4)] ?? 'none') : 'none'),
  staleness: () => (random() < 0.3 ? Math.floor(random() * 20) : 0),
};

const backend = await openBackend(options.url);
const store = options.faults ? faultyStore(backend, faults) : backend;
const world = {
  options,
  random,
  sequence: store.sequence(options.sequence),
  isStopped: () => existsSync(options.stopFile),
  lastVersion: () => (existsSync(options.stopFile) ? Number(readFileSync(options.stopFile, 'utf8')) : undefined),
};
console.log('ready');
flushCompileCache(); // a killed process does not write its cache at the end
const roles = { writer: write, watcher: watch, recorder: recordAll };
await roles[options.role](world);
await store.close();
