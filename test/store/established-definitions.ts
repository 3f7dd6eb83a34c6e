import type { Table } from '#adapters/aws/dynamodb/port.ts';
import { dynamoStore } from '#adapters/aws/dynamodb/store.ts';
import { systemClock } from '#adapters/clock.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import { MAX_CHANGES } from '#lib/storage/limits.ts';
import type { Proposal } from '#lib/storage/sequence.ts';
import { definitionName } from '../../bench/some-definitions.ts';

/** Writes definitions to a table in their established state. */
export async function storeDefinitions(table: Table, definitions: readonly JsonObject[]): Promise<void> {
  const sequence = dynamoStore(table, { clock: systemClock }).sequence('main/control');
  for (let i = 0; i < definitions.length; i += MAX_CHANGES) {
    const proposals = definitions.slice(i, i + MAX_CHANGES).map(proposalOf);
    await sequence.append(await sequence.head(), proposals, { nonce: `definitions-${i}` });
  }
}

function proposalOf(definition: JsonObject): Proposal {
  const name = definitionName(definition);
  const conditions = ['NamesAccepted', 'Established'].map((type) => ({
    type,
    status: 'True',
    reason: 'x',
    message: '',
  }));
  const status = { acceptedNames: objectAt(definition, 'spec')?.['names'] ?? {}, conditions, storedVersions: ['v1'] };
  const body = encodeObject({ ...definition, metadata: { ...objectAt(definition, 'metadata'), uid: name }, status });
  const key = `main/apiextensions.k8s.io/customresourcedefinitions//${name}`;
  return { key, type: 'ADDED', body, labels: {}, fields: {}, generation: 1, ownerReferences: [] };
}
