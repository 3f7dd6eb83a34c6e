import type { CustomResourceDefinition, CustomResourceDefinitionStatus } from '#lib/api/types/apiextensions.v1.ts';
import { CUSTOM_RESOURCE_DEFINITIONS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { findCondition, setCondition } from '#lib/machinery/conditions.ts';
import { generationOf, nameOf } from '#lib/machinery/meta.ts';
import type { GroupResource } from '#lib/machinery/schema.ts';
import { conditionsIn } from './conditions.ts';
import type { StorageVersionMigration } from './migration.ts';

const MIGRATING = 'StorageMigrating';

/** The ports that write a migration's condition into the definition of its resource, if there is one. */
export interface DefinitionPorts {
  readonly client: Client;
  readonly clock: Clock;
}

const refTo = ({ group, resource }: GroupResource): RefOf<CustomResourceDefinition> => ({
  resource: CUSTOM_RESOURCE_DEFINITIONS,
  namespace: '',
  name: `${resource}.${group}`,
});

/** Records that the objects of the definition are being rewritten, and for which generation. */
export async function beginIn(
  ports: DefinitionPorts,
  resource: GroupResource,
  migration: StorageVersionMigration,
): Promise<void> {
  await tell(ports, resource, (definition) => ({
    condition: { status: 'True', reason: 'MigrationRunning', message: `Migration ${nameOf(migration)} is running` },
    status: definition.status,
  }));
}

/** Records how the migration ended. If the definition has not changed, its storage version becomes the only stored one. */
export async function endIn(ports: DefinitionPorts, resource: GroupResource, succeeded: boolean): Promise<void> {
  await tell(ports, resource, (definition) => {
    const { status } = definition;
    if (!succeeded)
      return { condition: { status: 'False', reason: 'MigrationFailed', message: 'The migration has failed' }, status };
    const begun = findCondition(conditionsIn(status.conditions), MIGRATING)?.observedGeneration;
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
  readonly status: CustomResourceDefinitionStatus;
}

async function tell(
  { client, clock }: DefinitionPorts,
  resource: GroupResource,
  newsOf: (definition: CustomResourceDefinition) => News,
): Promise<void> {
  const ref = refTo(resource);
  const definition = await clientset(client).get(ref);
  if (definition === undefined) return;
  const { condition, status } = newsOf(definition);
  const told = { type: MIGRATING, ...condition, observedGeneration: generationOf(definition) };
  const conditions = setCondition(conditionsIn(definition.status.conditions), told, clock.now()).map((one) => ({
    ...one,
  }));
  await client.update(ref, { ...definition, status: { ...status, conditions } }, 'status');
}

const storageVersion = ({ spec }: CustomResourceDefinition): string =>
  spec.versions?.find(({ storage }) => storage)?.name ?? '';
