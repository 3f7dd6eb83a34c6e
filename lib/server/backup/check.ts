import { findKind, findResource, isBuiltInGroup, servedGroupVersions } from '#lib/api/kinds.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { parseApiVersion } from '#lib/machinery/schema.ts';
import { LEDGERS } from '#lib/server/policy/resource-quota/ledger.ts';
import { compareKeys, DEFAULT_CLUSTER, type ObjectKey, objectKey, parseKey } from '#lib/storage/keys.ts';
import { MAX_BODY_BYTES } from '#lib/storage/limits.ts';
import { EPOCH } from '#lib/storage/sequence.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import { BackupError, type Line, parseLine } from './line.ts';

/** The maximum number of past epochs in an export. A version has room for 8,192. */
const MAX_EPOCHS = 4_096;

/** The problems of an export that are visible from its types, before anything is written. */
export interface CheckResult {
  /** The types of objects that are neither built in nor defined in the export: `things.example.com`. */
  readonly unserved: readonly string[];
}

/** Throws BackupError, which names the line, for lines that `exportLines` cannot have written. Call it before any object is stored. */
export async function checkLines(lines: AsyncIterable<string>): Promise<CheckResult> {
  const check = new Check();
  let number = 0;
  for await (const text of lines) {
    number++;
    try {
      check.next(parseLine(text), number);
    } catch (error) {
      throw error instanceof BackupError
        ? new BackupError(`line ${number}: ${error.message}`, { cause: error })
        : error;
    }
  }
  if (number === 0) throw new BackupError('the file is empty');
  return check.end();
}

class Check {
  readonly #sequences = new Set<string>();
  readonly #definitions = new Set<string>();
  readonly #types = new Set<string>();
  #sequence: string | undefined;
  #lastKey = '';
  #objects = 0;
  #hasEnded = false;

  next(line: Line, number: number): void {
    if ((number === 1) !== (line.kind === 'head')) throw new BackupError('the file is no export, or more than one');
    if (this.#hasEnded) throw new BackupError("something is behind the export's end");
    if (line.kind === 'sequence') this.#begin(line.name, line.version);
    if (line.kind === 'object') this.#object(line.key, line.object);
    if (line.kind === 'end') this.#last(line.objects);
  }

  end(): CheckResult {
    if (!this.#hasEnded) throw new BackupError(`the export ends early, behind ${this.#objects} objects`);
    return { unserved: [...this.#types].filter((type) => !this.#definitions.has(type)) };
  }

  #begin(name: string, version: number): void {
    if (this.#sequences.has(name)) throw new BackupError(`the log ${name} begins once more`);
    if (version >= MAX_EPOCHS * EPOCH) throw new BackupError(`version ${version} leaves no room for those that follow`);
    this.#sequences.add(name);
    this.#sequence = name;
    this.#lastKey = '';
  }

  #object(key: string, object: JsonObject): void {
    const parts = parseKey(key);
    if (objectKey(parts) !== key || !isServed(parts)) throw new BackupError(`${shown(key)} is the key of no object`);
    if (sequenceOf(parts.cluster, parts) !== this.#sequence) throw new BackupError(`${shown(key)} is of another log`);
    if (this.#lastKey !== '' && compareKeys(this.#lastKey, key) >= 0)
      throw new BackupError(`${shown(key)} is there twice, or out of order`);
    if (!isNamed(object, parts) || !isOfKind(object, parts))
      throw new BackupError(`the object is not that of ${shown(key)}`);
    if (encodeObject(object).length > MAX_BODY_BYTES)
      throw new BackupError(`${shown(key)} has more than ${MAX_BODY_BYTES} bytes`);
    this.#lastKey = key;
    this.#objects++;
    this.#note(parts);
  }

  #note({ group, resource, name }: ObjectKey): void {
    if (resource === 'customresourcedefinitions' && group === 'apiextensions.k8s.io') this.#definitions.add(name);
    if (!isBuiltInGroup(group)) this.#types.add(`${resource}.${group}`);
  }

  #last(objects: number): void {
    if (objects !== this.#objects)
      throw new BackupError(`the export ends early: it has ${this.#objects} objects of ${objects}`);
    this.#hasEnded = true;
  }
}

const isServed = ({ cluster, group, resource, name }: ObjectKey): boolean =>
  cluster === DEFAULT_CLUSTER && group !== LEDGERS && resource !== '' && name !== '' && !name.includes('/');

function isNamed(object: JsonObject, { namespace, name }: ObjectKey): boolean {
  const metadata = objectAt(object, 'metadata');
  const hasKind = [stringAt(object, 'kind'), stringAt(object, 'apiVersion')].every((text) => (text ?? '') !== '');
  return hasKind && stringAt(metadata, 'name') === name && (stringAt(metadata, 'namespace') ?? '') === namespace;
}

/** Whether the object has the built-in kind of its key. Always true if the key has no built-in kind. */
function isOfKind(object: JsonObject, { group, resource }: ObjectKey): boolean {
  const versions = servedGroupVersions().filter((version) => version.group === group);
  const kinds = versions.flatMap((version) => findResource({ ...version, resource })?.kind ?? []);
  const [kind, version] = [stringAt(object, 'kind') ?? '', parseApiVersion(stringAt(object, 'apiVersion') ?? '')];
  if (kinds.length === 0) return true;
  return kinds.includes(kind) && version?.group === group && findKind({ ...version, kind }) !== undefined;
}

/** A key from an untrusted file, truncated for a message. */
const shown = (key: string): string => JSON.stringify(key.slice(0, 200));
