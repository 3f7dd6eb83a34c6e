import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { FieldError } from '#lib/machinery/validation/field.ts';
import type { User } from '#lib/server/authentication/user.ts';

/** The part of the request, besides the objects, that a strategy sees. */
export interface StrategyContext {
  readonly namespace: string;
  readonly user: string;
  /** Everything known of the user, where the caller knows more than the name. */
  readonly requester?: User;
  readonly now: Date;
  /** Adds a Warning header to the answer, also where the object is refused. */
  readonly warn?: (text: string) => void;
}

/** Part of a strategy that a subresource overrides. */
export interface UpdateStrategy<T extends JsonObject = JsonObject> {
  /** Sets what clients may not: copies from `old` the part that this endpoint does not own, bumps the generation. */
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void;
  /** Faults that `old` has too go to `warn` as messages of Warning headers; one may come more than once. */
  readonly validateUpdate?: (object: T, old: T, warn?: (text: string) => void) => FieldError[];
}

/**
 * The rules that one built-in kind adds to the generic behaviour: upstream's defaults.go, validation.go and strategy.go. Objects are
 * decoded, of the right shape, and owned by the caller: `default` and `prepare…` change them in place, `validate…` do not.
 * Generic metadata (names, labels, owner references, finalizers), the split of spec and status, and the generation are the
 * registry's; a kind declares only differences. `T` is the type of the kind's objects.
 */
export interface KindStrategy<T extends JsonObject = JsonObject> extends UpdateStrategy<T> {
  /** Upstream's SetDefaults_*: beyond the constant defaults of the data table. Idempotent. Runs after every decode. */
  readonly default?: (object: T) => void;
  /** Defaults of an object in another version than the hub's, by that version's name. */
  readonly defaultAs?: Readonly<Record<string, (object: JsonObject) => void>>;
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void;
  readonly validate?: (object: T) => FieldError[];
  /** In place of `validate` and `validateUpdate`, where an object may take long to check: pauses between its parts. */
  readonly validationSteps?: (object: T, old: T | undefined) => Steps<FieldError[]>;
  /** Faults of a new object that are reported before those of its metadata. */
  readonly validateFirst?: (object: T) => FieldError[];
  /** Faults that are reported alone, before anything else is checked (upstream: allocation comes before validation). */
  readonly preValidate?: (object: T, old?: T) => FieldError[];
  /** Messages of the Warning headers of a create (`old` absent) or an update. */
  readonly warnings?: (object: T, old?: T) => string[];
  /** The message of a Warning header of a delete whose options do not say what becomes of dependents. */
  readonly orphansWarning?: string;
  /** How names are checked; a DNS subdomain where absent. Returns messages. */
  readonly validateName?: (name: string, prefix: boolean) => string[];
  /** Changes an object whose deletion cannot end at once: adds a finalizer, a condition. */
  readonly beginDeletion?: (object: T, context: Pick<StrategyContext, 'now'>) => void;
  /**
   * Whether something besides metadata.finalizers keeps an object that was asked to go (a namespace's spec.finalizers). It is
   * kept then as `beginDeletion` leaves it, and goes with the write after which nothing holds it any more.
   */
  readonly holdsDeletion?: (object: T) => boolean;
  /** A PUT to an absent name creates (upstream: AllowCreateOnUpdate). Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is accepted (upstream: AllowUnconditionalUpdate). Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Whether spec changes bump metadata.generation. Default: the kind has a spec and a status. */
  readonly hasGeneration?: boolean;
  /** The generation also counts an empty list or map in the place of an absent one (upstream: reflect.DeepEqual). */
  readonly exactGeneration?: boolean;
  /** Deletion's default grace in seconds, where the kind deletes gracefully (pods). */
  readonly gracePeriod?: (object: T, asked?: number) => number;
  /** The default propagation when the client names none. Default background. */
  readonly defaultPropagation?: 'background' | 'orphan' | 'unsupported';
  /** Fields besides metadata.name and metadata.namespace that field selectors may use, and their text. */
  readonly selectableFields?: (object: T) => Record<string, string>;
  /** By subresource name (`status`, `approval`, `resize`, `ephemeralcontainers`). */
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
}

/** By `group/resource`: `/pods`, `apps/deployments`. */
export type KindStrategies = Readonly<Record<string, KindStrategy>>;

/** The strategy of a resource whose type is known, for a table of kinds: from here on its objects have no type. */
export const strategyOf = <T extends JsonObject>(
  { group, resource }: ResourceOf<T>,
  strategy: KindStrategy<T>,
): KindStrategies => ({ [`${group}/${resource}`]: strategy as KindStrategy });
