import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import type { Invocation } from '#lib/sdk/invocation/invocation.ts';
import { fold, repeated } from './fold.ts';
import { plain, table } from './table.ts';
import { durationText } from './time-text.ts';

const HEAD = ['START', 'FUNCTION', 'OBJECT', 'ATTEMPT', 'TOOK', 'OUTCOME', 'MESSAGE'] as const;

function rowOf(invocation: Invocation, count: number): readonly string[] {
  const { start, function: name, attempt, durationMs, message = '', at } = invocation;
  return [
    repeated(`${start.slice(0, 23)}Z`, count),
    plain(name),
    plain(objectText(invocation)),
    String(attempt),
    durationText(durationMs),
    outcomeText(invocation),
    plain(at === undefined ? message : `${message} (${at})`),
  ];
}

/** How much of an invocation to print. */
export interface InvocationTextOptions {
  readonly logs: boolean;
  /** The first line is a header of column names. */
  readonly head: boolean;
  /** Folds calls with the same outcome for the same object into one line: the last call, with the number of calls. */
  readonly folded?: boolean;
}

/** Prints one line for each, with its log lines below if requested. */
export function invocationsText(
  items: readonly Invocation[],
  { logs, head, folded = false }: InvocationTextOptions,
): string {
  const shown = fold(items, folded ? likeness : ({ id }) => id);
  const [first = '', ...lines] = table([HEAD, ...shown.map(({ item, count }) => rowOf(item, count))])
    .trimEnd()
    .split('\n');
  const rest = lines.flatMap((line, i) => [line, ...(logs ? logText(shown[i]?.item) : [])]);
  return [...(head ? [first] : []), ...rest].map((line) => `${line}\n`).join('');
}

/** Equal for calls that differ only in time, attempt and duration. */
const likeness = ({ function: name, key, object, outcome, message, at, logs = [] }: Invocation): string => {
  const { apiVersion, kind, namespace, name: of, uid } = object ?? {};
  const lines = logs.map(({ level, message: text, fields }) => [level, text, fields]);
  return JSON.stringify([name, key, [apiVersion, kind, namespace, of, uid], outcome, message, at, lines]);
};

const logText = (invocation: Invocation | undefined): string[] =>
  (invocation?.logs ?? []).map(
    ({ level, message, fields = {} }) =>
      `    ${level === 'error' ? 'error: ' : ''}${plain(message)}${fieldsText(fields)}`,
  );

/** `count=3 place="a b"`: a single word is unquoted, everything else is JSON. */
const fieldsText = (fields: JsonObject): string =>
  Object.entries(fields)
    .map(([name, value]) => ` ${plain(name)}=${isWord(value) ? value : plain(JSON.stringify(value))}`)
    .join('');

const isWord = (value: Json): value is string => typeof value === 'string' && /^[^\s"\p{Cc}]+$/u.test(value);

function objectText({ object, key = '' }: Invocation): string {
  if (object === undefined) return key;
  const { kind, namespace, name } = object;
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function outcomeText({ outcome, requeueAfterMs }: Invocation): string {
  return outcome === 'RequeueAfter' ? `again in ${durationText(requeueAfterMs ?? 0)}` : outcome;
}
