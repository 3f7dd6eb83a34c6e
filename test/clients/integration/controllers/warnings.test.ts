import { afterEach, beforeEach, expect, test } from 'vitest';
import { ENDPOINTS, EVENTS, SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import { disruptionController } from '#lib/controllers/disruption/reconcile.ts';
import { endpointsController } from '#lib/controllers/endpoint/reconcile.ts';
import { endpointSliceController } from '#lib/controllers/endpointslice/reconcile.ts';
import { aNamespace } from '#test/support/controllers/here.ts';
import { runPod } from '#test/support/controllers/pods.ts';
import { refusing } from '#test/support/controllers/refusing.ts';
import { World } from '#test/support/controllers/world.ts';

let world: World;
beforeEach(async () => {
  world = new World();
  await aNamespace(world, 'default');
});
afterEach(() => world.close());

async function warnings(namespace = 'default'): Promise<unknown[]> {
  const events = await clientset(world.user).list(EVENTS, { namespace, fieldSelector: 'type=Warning' });
  return events.map(({ reason, message, involvedObject: { kind, name }, source }) => [
    reason,
    message,
    `${kind} ${name}`,
    source.component,
  ]);
}

const selecting = {
  metadata: { name: 'db', namespace: 'default' },
  spec: { selector: { app: 'db' }, ports: [{ port: 80 }] },
};
const FORBIDDEN = (resource: string) => `${resource} "x" is forbidden: no`;
const fails = (reconciler: Reconciler) => expect(reconciler.reconcile('default/db')).rejects.toThrow('forbidden');
const endpoints = (client: Client) => endpointsController(client, new EventCorrelator(world.clock));

test('warns of Endpoints that the server refuses to create', async () => {
  await world.user.create(SERVICES, selecting);
  await fails(endpoints(refusing(world, 'create', 'endpoints')));
  const message = `Failed to create endpoint for service default/db: ${FORBIDDEN('endpoints')}`;
  expect(await warnings()).toEqual([['FailedToCreateEndpoint', message, 'Endpoints db', 'endpoint-controller']]);
});

test('warns of Endpoints that the server refuses to update', async () => {
  await world.user.create(SERVICES, selecting);
  await world.user.create(ENDPOINTS, { metadata: selecting.metadata, subsets: [] });
  await runPod(world, 'a', '10.1.0.1', 8080);
  await fails(endpoints(refusing(world, 'update', 'endpoints')));
  const message = `Failed to update endpoint default/db: ${FORBIDDEN('endpoints')}`;
  expect(await warnings()).toEqual([['FailedToUpdateEndpoint', message, 'Endpoints db', 'endpoint-controller']]);
});

test('warns of EndpointSlices that the server refuses', async () => {
  await world.user.create(SERVICES, selecting);
  const client = refusing(world, 'create', 'endpointslices');
  await fails(endpointSliceController(client, new EventCorrelator(world.clock)));
  const message = `Error updating Endpoint Slices for Service default/db: ${FORBIDDEN('endpointslices')}`;
  const wanted = ['FailedToUpdateEndpointSlices', message, 'Service db', 'endpoint-slice-controller'];
  expect(await warnings()).toEqual([wanted]);
});

test('warns only once of a pod that two budgets select', async () => {
  const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
  for (const name of ['one', 'two'])
    await world.user.create(budgets, {
      metadata: { name, namespace: 'default' },
      spec: { minAvailable: 0, selector: { matchLabels: { app: 'db' } } },
    });
  await runPod(world, 'a', '10.1.0.1', 8080);
  const make = (client: Client) => [disruptionController(client, world.clock)];
  await world.run(make);
  await world.run(make);
  const message = 'Pod "default"/"a" matches multiple PodDisruptionBudgets.  Chose "one" arbitrarily.';
  expect(await warnings()).toEqual([['MultiplePodDisruptionBudgets', message, 'Pod a', 'controllermanager']]);
});
