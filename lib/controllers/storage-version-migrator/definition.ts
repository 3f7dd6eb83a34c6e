import type { Client, ObjectRef } from '#lib/client/client.ts';
import { findCondition, setCondition } from '#lib/controller/condition.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { generationOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { flag, items, text } from '#lib/machinery/unstructured.ts';
import { conditionsIn } from './conditions.ts';

const DEFINITIONS: GroupVersionResource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
};
const MIGRATING = 'StorageMigrating';

/** What a migration tells the definition of what it migrates, where there is one. */
export interface DefinitionPorts {
  readonly client: Client;
  readonly clock: Clock;
}

type Resource = Pick<GroupVersionResource, 'group' | 'resource'>;

const refTo = ({ group, resource }: Resource): ObjectRef => ({
  resource: DEFINITIONS,
  namespace: '',
  name: `${resource}.${group}`,
});

/** Says that its objects are being written again, and of which generation. */
export async function beginIn(ports: DefinitionPorts, resource: Resource, migration: JsonObject): Promise<void> {
  await tell(ports, resource, (definition) => ({
    condition: { status: 'True', reason: 'MigrationRunning', message: `Migration ${nameOf(migration)} is running` },
    status: objectAt(definition, 'status') ?? {},
  }));
}

/** Says what became of it; where the definition is the same still, nothing is stored in another version than its own. */
export async function endIn(ports: DefinitionPorts, resource: Resource, succeeded: boolean): Promise<void> {
  await tell(ports, resource, (definition) => {
    const status = objectAt(definition, 'status') ?? {};
    if (!succeeded)
      return { condition: { status: 'False', reason: 'MigrationFailed', message: 'The migration has failed' }, status };
    const begun = findCondition(conditionsIn(definition), MIGRATING)?.observedGeneration;
    const isSame = begun === generationOf(definition);
    const what = isSame
      ? 'and the stored versions have been updated'
      : 'but the stored versions have not been updated due to a generation mismatch';
    return {
      condition: { status: 'False', reason: 'MigrationSucceeded', message: `The migration has succeeded ${what}` },
      status: isSame ? { ...status, storedVersions: [storageVersion(definition)] } : status,
    };
  });
}

interface News {
  readonly condition: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
  readonly status: JsonObject;
}

async function tell(
  { client, clock }: DefinitionPorts,
  resource: Resource,
  newsOf: (definition: JsonObject) => News,
): Promise<void> {
  const ref = refTo(resource);
  const definition = await client.get(ref);
  if (definition === undefined) return;
  const { condition, status } = newsOf(definition);
  const told = { type: MIGRATING, ...condition, observedGeneration: generationOf(definition) };
  const conditions = setCondition(conditionsIn(definition), told, clock.now()).map((one) => ({ ...one }));
  await client.update(ref, { ...definition, status: { ...status, conditions } }, 'status');
}

function storageVersion(definition: JsonObject): string {
  const versions = items(objectAt(definition, 'spec'), 'versions');
  return text(
    versions.find((version) => flag(version, 'storage') === true),
    'name',
  );
}
