import { parseStored } from '#lib/machinery/json.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { Decision } from '../authorizer.ts';
import { type Binding, bindingOf, keysOf, type Subject, subjectKey } from './binding.ts';
import { type PolicyRule, rulesOf } from './rule.ts';

/** A binding that applies to a user, and its first matching subject. */
export interface Applies {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** A snapshot of all roles and bindings. A changed snapshot is a new object, an unchanged one is the same object. */
export interface Policy {
  /** The prefix of all keys: `main/rbac.authorization.k8s.io/`. */
  readonly root: string;
  readonly objects: readonly StoredObject[];
  /** Parts by key prefix: `main/rbac.authorization.k8s.io/roles/default/`. For cluster-scoped kinds the namespace segment is empty. */
  readonly parts: ReadonlyMap<string, Part>;
  /** Cached decisions of this policy, by request key. */
  readonly decisions: Map<string, Decision>;
}

/** One kind in one namespace, indexed on first use. */
interface Part {
  readonly objects: readonly StoredObject[];
  names?: ReadonlyMap<string, StoredObject>;
  subjects?: ReadonlyMap<string, readonly Placed[]>;
}

interface Placed extends Applies {
  readonly place: number;
  readonly subjectPlace: number;
}

const roles = new WeakMap<StoredObject, readonly PolicyRule[]>();
const bindings = new WeakMap<StoredObject, Binding>();

/** The policy of these objects, which must be in key order. Reuses unchanged parts of `previous`. */
export function policyOf(root: string, objects: readonly StoredObject[], previous?: Policy): Policy {
  if (previous !== undefined && same(objects, previous.objects)) return previous;
  const parts = new Map<string, Part>();
  for (let start = 0; start < objects.length; ) {
    const prefix = prefixOf((objects[start] as StoredObject).key);
    let end = start + 1;
    while (objects[end]?.key.startsWith(prefix) === true) end++;
    const part = objects.slice(start, end);
    const known = previous?.parts.get(prefix);
    parts.set(prefix, known !== undefined && same(part, known.objects) ? known : { objects: part });
    start = end;
  }
  return { root, objects, parts, decisions: new Map() };
}

interface Collection {
  readonly resource: string;
  readonly namespace: string;
}

const prefixAt = ({ root }: Policy, { resource, namespace }: Collection): string => `${root}${resource}/${namespace}/`;

const prefixOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

const same = (a: readonly StoredObject[], b: readonly StoredObject[]): boolean =>
  a.length === b.length && a.every(({ key, version }, i) => version === b[i]?.version && key === b[i].key);

/** The rules of a role. Undefined if the role does not exist. */
export function roleRules(policy: Policy, at: Collection, name: string): readonly PolicyRule[] | undefined {
  const prefix = prefixAt(policy, at);
  const part = policy.parts.get(prefix);
  if (part === undefined) return undefined;
  part.names ??= new Map(part.objects.map((object) => [object.key.slice(prefix.length), object]));
  const stored = part.names.get(name);
  return stored === undefined
    ? undefined
    : memo(roles, stored, (object) => (object === undefined ? [] : rulesOf(object)));
}

/** The bindings in one collection that apply to the user, ordered by name. */
export function bindingsOf(policy: Policy, at: Collection, user: User): readonly Applies[] {
  const part = policy.parts.get(prefixAt(policy, at));
  if (part === undefined) return [];
  const { subjects = indexed(part) } = part;
  const found = keysOf(user).flatMap((key) => subjects.get(key) ?? []);
  if (found.length < 2) return found;
  found.sort((a, b) => a.place - b.place || a.subjectPlace - b.subjectPlace);
  return found.filter(({ place }, i) => place !== found[i - 1]?.place);
}

function indexed(part: Part): ReadonlyMap<string, readonly Placed[]> {
  const subjects = new Map<string, Placed[]>();
  for (const [place, stored] of part.objects.entries()) {
    const binding = memo(bindings, stored, (object) =>
      isObject(object?.['roleRef']) ? bindingOf(object) : NO_BINDING,
    );
    for (const [subjectPlace, subject] of binding.subjects.entries()) {
      const key = subjectKey(subject);
      if (key === undefined) continue;
      const known = subjects.get(key);
      const placed = { binding, subject, place, subjectPlace };
      if (known === undefined) subjects.set(key, [placed]);
      else known.push(placed);
    }
  }
  part.subjects = subjects;
  return subjects;
}

function memo<T>(
  known: WeakMap<StoredObject, T>,
  stored: StoredObject,
  make: (object: JsonObject | undefined) => T,
): T {
  const found = known.get(stored);
  if (found !== undefined) return found;
  const made = make(readable(stored));
  known.set(stored, made);
  return made;
}

/** Represents a damaged binding, whose bytes are not a JSON object or that has no role. It grants nothing. */
const NO_BINDING: Binding = { name: '', namespace: '', roleRef: { kind: '', name: '' }, subjects: [] };

/** Decodes the object. Undefined if its bytes are not a JSON object. */
function readable({ body }: StoredObject): JsonObject | undefined {
  try {
    const value = parseStored(body);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
