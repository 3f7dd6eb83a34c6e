import { basename } from 'node:path';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import type { KubernetesObject } from '#lib/client/typed-client.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { conditionTrue } from '#lib/server/apiextensions/conditions.ts';
import { eventually } from '../eventually.ts';
import { readManifests } from '../manifests.ts';
import { fileFault, messageOf, StartFault } from '../start-fault.ts';
import { DEFINITIONS } from './folder.ts';

const RESOURCE = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const APPLY = { fieldManager: 'davit', force: true };
/** Time-out in ms for a definition to become established. */
const PATIENCE = 10_000;

/** Applies the definitions in a file, and waits until they are served. Errors are logged on one line. */
export async function applyDefinitions(client: Client, file: string, log: Logger): Promise<void> {
  const name = `${DEFINITIONS}/${basename(file)}`;
  try {
    const objects = await readManifests(file);
    if (objects.length === 0) throw new StartFault('it holds no CustomResourceDefinition');
    for (const object of objects) await client.apply(refOf(object), object as unknown as JsonObject, APPLY);
    for (const object of objects) await established(client, refOf(object));
    log.info(`functions: ${name} is applied`, { definitions: objects.map(({ metadata }) => metadata.name) });
  } catch (error) {
    const why = isOfFiles(error) ? fileFault(file, error) : error;
    log.error(`functions: ${name} is not applied: ${messageOf(why)}`);
  }
}

const isOfFiles = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

/** Throws StartFault if the object is not a definition. */
function refOf({ apiVersion, kind, metadata }: KubernetesObject): ObjectRef {
  if (apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition' && metadata?.name !== undefined)
    return { resource: RESOURCE, namespace: '', name: metadata.name };
  throw new StartFault(
    `${kind} of ${apiVersion} is no CustomResourceDefinition of apiextensions.k8s.io/v1 with a name`,
  );
}

async function established(client: Client, ref: ObjectRef): Promise<void> {
  const check = async (): Promise<void> => {
    if (!conditionTrue((await client.get(ref)) ?? {}, 'Established'))
      throw new StartFault(`${ref.name} is not established; kubectl describe crd ${ref.name} says why`);
  };
  await eventually(check, { timeout: PATIENCE });
}
