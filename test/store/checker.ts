import type { Version } from '#lib/storage/sequence.ts';
import type { Event, History, Seen } from './history.ts';

type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>;

/**
 * Checks that the operations and observations of all processes are consistent with one log. The log's versions strictly increase. It
 * contains each operation once, and only if it was sent. Each key's changes build on each other. Each acknowledged write is at its
 * acknowledged version. No later operation has a lower version than one acknowledged or read before it. Each watcher saw exactly the log,
 * and each load is the log's state. Returns the violations. `log` contains all committed changes, as a reader sees them from the start.
 */
export function violations(log: readonly Seen[], histories: readonly History[]): string[] {
  return [
    ...orderViolations(log),
    ...chainViolations(log),
    ...sentViolations(log, histories),
    ...ackViolations(log, histories),
    ...realTimeViolations(log, histories),
    ...freshViolations(log, histories),
    ...histories.flatMap((history) => [...watchViolations(log, history)]),
  ];
}

function* orderViolations(log: readonly Seen[]): Generator<string> {
  const ops = new Set<string>();
  let last = 0;
  for (const { version, op } of log) {
    if (version <= last) yield `order: ${version} comes behind ${last}`;
    if (ops.has(op)) yield `order: ${op} is in the log twice`;
    ops.add(op);
    last = version;
  }
}

/** A write that ignored another change is based on a version that no longer exists. */
function* chainViolations(log: readonly Seen[]): Generator<string> {
  const state = new Map<string, Seen>();
  for (const change of log) {
    const { key, op, type, version, previous, count } = change;
    const before = state.get(key);
    if (previous !== before?.version)
      yield `chain: ${op} at ${version} builds upon ${previous}, not ${before?.version}`;
    else if ((type === 'ADDED') !== (before === undefined)) yield `chain: ${op} at ${version} is ${type}`;
    else if (count !== (before?.count ?? 0) + 1) yield `chain: ${op} at ${version} counts ${count}`;
    if (type === 'DELETED') state.delete(key);
    else state.set(key, change);
  }
}

function* sentViolations(log: readonly Seen[], histories: readonly History[]): Generator<string> {
  const sent = new Set(eventsOf(histories, 'send').flatMap(({ ops }) => ops));
  for (const { op, version } of log) if (!sent.has(op)) yield `sent: ${op} at ${version} was never sent`;
}

function* ackViolations(log: readonly Seen[], histories: readonly History[]): Generator<string> {
  const at = new Map(log.map(({ version, op }) => [version, op]));
  const positions = new Set<Version>();
  for (const { ops, first, last } of eventsOf(histories, 'ack')) {
    if (last !== first + Math.max(ops.length, 1) - 1) yield `ack: ${ops.join()} has ${first} to ${last}`;
    for (let version = first; version <= last; version++) {
      if (positions.has(version)) yield `ack: ${version} is acknowledged twice`;
      positions.add(version);
      const [found, op] = [at.get(version), ops[version - first]];
      if (found !== op) yield `ack: ${version} is ${found}, but ${op} was acknowledged`;
    }
  }
}

/** Checks that a write which started after another had ended has a higher version. */
function* realTimeViolations(log: readonly Seen[], histories: readonly History[]): Generator<string> {
  const bound = completedBefore(histories);
  const sentAt = new Map(eventsOf(histories, 'send').flatMap(({ ops, t }) => ops.map((op) => [op, t] as const)));
  for (const { op, version } of log) {
    const sent = sentAt.get(op);
    if (sent !== undefined && bound(sent) >= version)
      yield `time: ${op} at ${version} began after ${bound(sent)} was there`;
  }
  for (const { at, since, key } of eventsOf(histories, 'fresh')) {
    if (bound(since) > at) yield `time: the read of ${key} at ${at} began after ${bound(since)} was there`;
  }
}

/** Returns the highest version that any actor had observed before this moment. */
function completedBefore(histories: readonly History[]): (t: number) => Version {
  const acks = eventsOf(histories, 'ack').map(({ t, last }) => ({ t, version: last }));
  const reads = eventsOf(histories, 'fresh').map(({ t, at }) => ({ t, version: at }));
  const known = [...acks, ...reads].sort((a, b) => a.t - b.t);
  for (let i = 1, top = known[0]?.version ?? 0; i < known.length; i++) {
    top = Math.max(top, known[i]?.version ?? 0);
    known[i] = { t: known[i]?.t ?? 0, version: top };
  }
  return (t) => {
    let [low, high] = [0, known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((known[middle]?.t ?? 0) < t) low = middle + 1;
      else high = middle;
    }
    return known[low - 1]?.version ?? 0;
  };
}

function* freshViolations(log: readonly Seen[], histories: readonly History[]): Generator<string> {
  const byKey = Map.groupBy(log, ({ key }) => key);
  for (const { key, version, at } of eventsOf(histories, 'fresh')) {
    const change = byKey.get(key)?.findLast((each) => each.version <= at);
    const expected = change?.type === 'DELETED' ? undefined : change?.version;
    if (version !== expected) yield `fresh: ${key} at ${at} was read as ${version}, is ${expected}`;
  }
}

/** Checks that a watcher sees every change in the log between two loads exactly once and unaltered. */
function* watchViolations(log: readonly Seen[], { actor, events }: History): Generator<string> {
  let at: Version | undefined;
  for (const event of events) {
    if (event.kind === 'load') {
      yield* loadViolations(log, actor, event);
      at = event.at;
    }
    if (event.kind !== 'seen' || at === undefined) continue;
    const expected = between(log, at, event.last);
    const isSame =
      event.changes.length === expected.length && event.changes.every((each, i) => same(each, expected[i]));
    if (!isSame)
      yield `watch: ${actor} behind ${at} to ${event.last} saw ${brief(event.changes)}, not ${brief(expected)}`;
    at = event.last;
  }
}

function* loadViolations(log: readonly Seen[], actor: string, { at, state }: EventOf<'load'>): Generator<string> {
  const expected = new Map<string, Version>();
  for (const { key, version, type } of between(log, 0, at)) {
    if (type === 'DELETED') expected.delete(key);
    else expected.set(key, version);
  }
  const isSame = state.length === expected.size && state.every(([key, version]) => expected.get(key) === version);
  if (!isSame) yield `load: ${actor} at ${at} has ${JSON.stringify(state)}, not ${JSON.stringify([...expected])}`;
}

/** The changes after `after`, up to `last`. */
function between(log: readonly Seen[], after: Version, last: Version): readonly Seen[] {
  return log.slice(indexBehind(log, after), indexBehind(log, last));
}

function indexBehind(log: readonly Seen[], version: Version): number {
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle]?.version ?? 0) <= version) low = middle + 1;
    else high = middle;
  }
  return low;
}

const same = (a: Seen, b: Seen | undefined): boolean => a.version === b?.version && a.op === b.op && a.type === b.type;

const brief = (changes: readonly Seen[]): string => changes.map(({ op, version }) => `${op}@${version}`).join(' ');

function eventsOf<K extends Event['kind']>(histories: readonly History[], kind: K): EventOf<K>[] {
  const is = (event: Event): event is EventOf<K> => event.kind === kind;
  return histories.flatMap(({ events }) => events.filter(is));
}
