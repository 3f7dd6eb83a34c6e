import { typedObject } from '#lib/api/typed.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { type LabelSelector, matches, NOTHING } from '#lib/machinery/labels/selector.ts';
import { controllerOf, labelsOf, type OwnerReference } from '#lib/machinery/meta.ts';
import { apiVersion, type GroupVersionResource, type ResourceOf } from '#lib/machinery/schema.ts';

/** A kind of owners, and the resource of objects that they control. */
export interface Ownership<O extends JsonObject = JsonObject, D extends JsonObject = JsonObject> {
  readonly owners: ResourceOf<O>;
  /** The owners' kind. */
  readonly kind: string;
  readonly dependents: ResourceOf<D>;
  /** The selector of an owner. Throws 400 if it is invalid. */
  selectorOf(owner: O): LabelSelector;
}

/** The selector of an owner, or one that selects no objects if the owner's is invalid. */
export function selectorOr<O extends JsonObject>(owner: O, selectorOf: (owner: O) => LabelSelector): LabelSelector {
  try {
    return selectorOf(owner);
  } catch (error) {
    if (error instanceof StatusError) return NOTHING;
    throw error;
  }
}

type Controller = Pick<OwnerReference, 'uid' | 'name'>;

const EMPTY: ReadonlySet<string> = new Set();

/**
 * Maps changes to the owners (`namespace/name`) that they concern. It remembers from changes the objects that each owner selects and
 * controls.
 */
export class OwnerIndex {
  readonly #ownership: Ownership;
  readonly #selectors = new Map<string, Map<string, LabelSelector>>();
  readonly #controllers = new Map<string, Controller>();
  readonly #controlled = new Map<string, Set<string>>();

  constructor(ownership: Ownership) {
    this.#ownership = ownership;
  }

  /** Records the change. Returns the owners that it concerns. */
  keys(change: ObjectChange): readonly string[] {
    const { owners, dependents } = this.#ownership;
    if (is(change, owners)) return this.#owner(change);
    return is(change, dependents) ? this.#dependent(change) : [];
  }

  /** All owners as `namespace/name`. */
  owners(): readonly string[] {
    return [...this.#selectors].flatMap(([namespace, names]) =>
      [...names.keys()].map((name) => `${namespace}/${name}`),
    );
  }

  /** Names of the dependents that the owner with this uid controls. */
  controlledBy(uid: string): readonly string[] {
    return [...(this.#controlled.get(uid) ?? EMPTY)];
  }

  /** The name of the owner that controls a dependent. Undefined if there is none. */
  ownerOf(namespace: string, dependent: string): string | undefined {
    return this.#controllers.get(`${namespace}/${dependent}`)?.name;
  }

  #owner({ type, namespace, name, object }: ObjectChange): readonly string[] {
    const here = this.#selectors.get(namespace) ?? new Map<string, LabelSelector>();
    if (type === 'DELETED') here.delete(name);
    else here.set(name, selectorOr(typedObject(this.#ownership.owners, object()), this.#ownership.selectorOf));
    if (here.size === 0) this.#selectors.delete(namespace);
    else this.#selectors.set(namespace, here);
    return [`${namespace}/${name}`];
  }

  #dependent(change: ObjectChange): readonly string[] {
    const { type, namespace, name } = change;
    const place = `${namespace}/${name}`;
    const before = this.#controllers.get(place);
    if (before !== undefined) this.#unlink(place, name, before);
    if (type === 'DELETED') return before === undefined ? [] : [`${namespace}/${before.name}`];
    const controller = controllerOf(change.object());
    const isOurs = controller !== undefined && this.#isOwner(controller);
    if (isOurs) this.#link(place, name, controller);
    const now = isOurs ? [controller.name] : controller === undefined ? this.#selecting(change) : [];
    const lost = before === undefined || now.includes(before.name) ? [] : [before.name];
    return [...now, ...lost].map((owner) => `${namespace}/${owner}`);
  }

  #isOwner({ apiVersion: version, kind }: OwnerReference): boolean {
    return kind === this.#ownership.kind && version === apiVersion(this.#ownership.owners);
  }

  #selecting({ namespace, object }: ObjectChange): string[] {
    const here = this.#selectors.get(namespace);
    if (here === undefined) return [];
    const labels = labelsOf(object());
    return [...here].filter(([, selector]) => matches(selector, labels)).map(([name]) => name);
  }

  #link(place: string, name: string, { uid, name: owner }: Controller): void {
    this.#controllers.set(place, { uid, name: owner });
    this.#controlled.set(uid, (this.#controlled.get(uid) ?? new Set()).add(name));
  }

  #unlink(place: string, name: string, { uid }: Controller): void {
    this.#controllers.delete(place);
    const names = this.#controlled.get(uid);
    names?.delete(name);
    if (names?.size === 0) this.#controlled.delete(uid);
  }
}

const is = ({ group, resource }: ObjectChange, one: GroupVersionResource): boolean =>
  group === one.group && resource === one.resource;
