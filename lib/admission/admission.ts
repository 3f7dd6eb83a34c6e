import type { User } from '#lib/authentication/user.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind, GroupVersionResource } from '#lib/machinery/schema.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What a request wants to do to an object: upstream's admission.Attributes. */
export interface Attributes {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** In the version that strategies see. Mutating plugins change it in place. Absent on DELETE. */
  readonly object?: JsonObject;
  /** Absent on CREATE. */
  readonly oldObject?: JsonObject;
  readonly dryRun: boolean;
  readonly user: User;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
}

/**
 * One admission plugin. `admit` may change the object, `validate` may not; both refuse by throwing a StatusError.
 * They run in the order of the chain: all `admit`s, then the strategy's validation, then all `validate`s.
 */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly Operation[];
  admit?(attributes: Attributes): void | Promise<void>;
  validate?(attributes: Attributes): void | Promise<void>;
}

/** Runs every mutating plugin that handles the operation. */
export async function admit(chain: readonly AdmissionPlugin[], attributes: Attributes): Promise<void> {
  for (const plugin of chain)
    if (plugin.admit && plugin.operations.includes(attributes.operation)) await plugin.admit(attributes);
}

/** Runs every validating plugin that handles the operation. */
export async function validate(chain: readonly AdmissionPlugin[], attributes: Attributes): Promise<void> {
  for (const plugin of chain)
    if (plugin.validate && plugin.operations.includes(attributes.operation)) await plugin.validate(attributes);
}
