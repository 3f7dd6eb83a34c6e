import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CRON_JOBS, DEPLOYMENTS, EVENTS, JOBS, PODS, REPLICA_SETS, STATEFUL_SETS } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import { cronJobController } from '#lib/controllers/cronjob/reconcile.ts';
import { daemonSetController } from '#lib/controllers/daemonset/reconcile.ts';
import { deploymentController } from '#lib/controllers/deployment/reconcile.ts';
import { jobController } from '#lib/controllers/job/reconcile.ts';
import { REPLICA_SET, REPLICATION_CONTROLLER } from '#lib/controllers/replicaset/kinds.ts';
import { replicaSetController } from '#lib/controllers/replicaset/reconcile.ts';
import { statefulSetController } from '#lib/controllers/statefulset/reconcile.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import { aNamespace, podsHere } from '#test/support/controllers/here.ts';
import { core, refOf } from '#test/support/controllers/refs.ts';
import { refusing } from '#test/support/controllers/refusing.ts';
import { type Reconcilers, World } from '#test/support/controllers/world.ts';

const MINUTE = 60_000;
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selector = { matchLabels: { app: 'web' } };
const never = { spec: { ...template.spec, restartPolicy: 'Never' } };

let world: World;
beforeEach(async () => {
  world = new World();
  await aNamespace(world);
});
afterEach(() => world.close());

const create = (resource: GroupVersionResource, spec: JsonObject) =>
  world.user.create(resource, { metadata: { name: 'web', namespace: 'here' }, spec });
const change = (resource: GroupVersionResource, spec: JsonObject) =>
  world.user.patch(refOf(resource, 'here', 'web'), { spec });

/** The events with a reason, without the names of pods and jobs. */
async function told(reason: string): Promise<string[]> {
  const events = await clientset(world.user).list(EVENTS, { namespace: 'here', fieldSelector: `reason=${reason}` });
  const texts = events.map(({ type, message = '', source }) => `${source.component} ${type}: ${message}`);
  return [...new Set(texts.map((text) => text.replaceAll(/\bweb-([a-z0-9]{5,}|\d{8})\b/g, 'NAME')))];
}

interface Kind {
  readonly component: string;
  readonly resource: GroupVersionResource;
  readonly make: Reconcilers;
  readonly spec: JsonObject;
  /** The change that makes the controller delete its pods. */
  readonly less: JsonObject;
}

const KINDS: readonly Kind[] = [
  {
    component: 'replicaset-controller',
    resource: REPLICA_SET.resource,
    make: (client, clock) => [replicaSetController(client, clock, REPLICA_SET)],
    spec: { replicas: 1, selector, template },
    less: { replicas: 0 },
  },
  {
    component: 'replication-controller',
    resource: REPLICATION_CONTROLLER.resource,
    make: (client, clock) => [replicaSetController(client, clock, REPLICATION_CONTROLLER)],
    spec: { replicas: 1, selector: selector.matchLabels, template },
    less: { replicas: 0 },
  },
  {
    component: 'daemonset-controller',
    resource: { group: 'apps', version: 'v1', resource: 'daemonsets' },
    make: (client, clock) => [daemonSetController(client, clock)],
    spec: { selector, template },
    less: { template: { spec: { nodeSelector: { not: 'here' } } } },
  },
  {
    component: 'job-controller',
    resource: JOBS,
    make: (client, clock) => [jobController(client, clock)],
    spec: { template: never },
    less: { suspend: true },
  },
];

describe.each(KINDS)('the events of $component', ({ component, resource, make, spec, less }) => {
  beforeEach(async () => {
    await world.user.create(core('nodes'), { metadata: { name: 'node' } });
    await world.user.patch(refOf(core('nodes'), '', 'node'), { spec: { taints: [] } });
    await create(resource, spec);
  });

  test('records FailedCreate if the server refuses a pod', async () => {
    await world.run(make, refusing(world, 'create', 'pods'));
    expect(await told('FailedCreate')).toEqual([`${component} Warning: Error creating: pods "x" is forbidden: no`]);
  });

  test('records FailedDelete if the server refuses to delete a pod', async () => {
    await world.run(make);
    await change(resource, less);
    await world.run(make, refusing(world, 'delete', 'pods'));
    expect(await told('FailedDelete')).toEqual([`${component} Warning: Error deleting: pods "x" is forbidden: no`]);
  });

  test('records SuccessfulDelete for a pod that it deletes', async () => {
    await world.run(make);
    await change(resource, less);
    await world.run(make);
    expect(await told('SuccessfulDelete')).toEqual([`${component} Normal: Deleted pod: NAME`]);
  });
});

describe('the events of statefulset-controller', () => {
  const make: Reconcilers = (client, clock) => [statefulSetController(client, clock)];
  beforeEach(async () => {
    await create(STATEFUL_SETS, {
      replicas: 1,
      podManagementPolicy: 'Parallel',
      serviceName: 'web',
      selector,
      template,
    });
    await world.run(make);
  });
  /** Removes a label by which the controller identifies the pod. */
  const unlabel = () =>
    world.user.patch(refOf(core('pods'), 'here', 'web-0'), {
      metadata: { labels: { 'statefulset.kubernetes.io/pod-name': null } },
    });

  test('records FailedDelete if the server refuses to delete a pod', async () => {
    await change(STATEFUL_SETS, { replicas: 0 });
    await world.run(make, refusing(world, 'delete', 'pods'));
    expect(await told('FailedDelete')).toEqual([
      'statefulset-controller Warning: Delete Pod web-0 in StatefulSet web failed error: pods "x" is forbidden: no',
    ]);
  });

  test('records SuccessfulUpdate for a pod whose identity it restores', async () => {
    await unlabel();
    await world.run(make);
    expect(await told('SuccessfulUpdate')).toEqual([
      'statefulset-controller Normal: Update Pod web-0 in StatefulSet web successful',
    ]);
  });

  test('records FailedUpdate if the server refuses to update a pod', async () => {
    await unlabel();
    await world.run(make, refusing(world, 'update', 'pods'));
    expect(await told('FailedUpdate')).toEqual([
      'statefulset-controller Warning: Update Pod web-0 in StatefulSet web failed error: pods "x" is forbidden: no',
    ]);
  });
});

describe('the events of job-controller', () => {
  const make: Reconcilers = (client, clock) => [jobController(client, clock)];
  const succeed = async (): Promise<void> => {
    for (const pod of await podsHere(world))
      await world.user.patch(refOf(PODS, 'here', nameOf(pod)), { status: { phase: 'Succeeded' } }, 'status');
  };

  test('records Completed when all pods succeed', async () => {
    await create(JOBS, { template: never });
    await world.run(make);
    await succeed();
    await world.run(make);
    expect(await told('Completed')).toEqual(['job-controller Normal: Job completed']);
  });

  test('records TooManySucceededPods if more pods succeed than it needs', async () => {
    await create(JOBS, { template: never });
    await world.run(make);
    const [pod] = await clientset(world.user).list(PODS, { namespace: 'here' });
    const { labels, ownerReferences, finalizers } = pod?.metadata ?? {};
    const metadata = { ...defined({ labels, ownerReferences, finalizers }), name: 'twin', namespace: 'here' };
    await world.user.create(PODS, { metadata, spec: never.spec });
    await succeed();
    await world.run(make);
    expect(await told('TooManySucceededPods')).toEqual([
      'job-controller Warning: Too many succeeded pods running after completion count reached',
    ]);
  });
});

describe('the events of cronjob-controller', () => {
  const make: Reconcilers = (client, clock) => [cronJobController(client, clock)];
  const jobTemplate = { spec: { template: never } };
  const due = async (spec: JsonObject = {}): Promise<void> => {
    await create(CRON_JOBS, { schedule: '* * * * *', jobTemplate, ...spec });
    world.clock.advance(MINUTE);
  };

  test('records FailedCreate if the server refuses a job', async () => {
    await due();
    await world.run(make, refusing(world, 'create', 'jobs'));
    expect(await told('FailedCreate')).toEqual([
      'cronjob-controller Warning: Error creating job: jobs "x" is forbidden: no',
    ]);
  });

  /** A client whose read of a job fails after it has listed the jobs of the cron job. */
  function refusingSecondGet(): Client {
    const [client, refused] = [world.newClient('cronjob'), refusing(world, 'get', 'jobs')];
    let reads = 0;
    return {
      ...refused,
      get: (ref, options) => (ref.resource.resource === 'jobs' && reads++ === 0 ? client : refused).get(ref, options),
    };
  }

  test.each<[string, () => Client, string]>([
    ['FailedGet', refusingSecondGet, 'Get job: jobs "x" is forbidden: no'],
    ['FailedDelete', () => refusing(world, 'delete', 'jobs'), 'Deleted job: jobs "x" is forbidden: no'],
  ])('records %s if the server refuses that for the job to replace', async (reason, client, message) => {
    await due({ concurrencyPolicy: 'Replace' });
    await cronJobController(world.newClient('cronjob'), world.clock).reconcile('here/web');
    world.clock.advance(MINUTE);
    const refused = cronJobController(client(), world.clock);
    await expect(refused.reconcile('here/web')).rejects.toThrow('forbidden');
    expect(await told(reason)).toEqual([`cronjob-controller Warning: ${message}`]);
  });
});

describe('the events of deployment-controller', () => {
  const make: Reconcilers = (client, clock) => [deploymentController(client, clock)];
  const rollBackTo = (revision: string) =>
    world.user.patch(refOf(DEPLOYMENTS, 'here', 'web'), {
      metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } },
    });
  const spec = { replicas: 0, selector, template };

  test('records ReplicaSetCreateError if the server refuses a replica set', async () => {
    await create(DEPLOYMENTS, spec);
    await world.run(make, refusing(world, 'create', REPLICA_SETS.resource));
    expect(await told('ReplicaSetCreateError')).toEqual([
      'deployment-controller Warning: Failed to create new replica set "NAME": replicasets "x" is forbidden: no',
    ]);
  });

  test.each<[string, string, string]>([
    ['DeploymentRollback', '1', 'Normal: Rolled back deployment "web" to revision 1'],
    ['DeploymentRollbackRevisionNotFound', '7', 'Warning: Unable to find the revision to rollback to.'],
    [
      'DeploymentRollbackTemplateUnchanged',
      '2',
      'Warning: The rollback revision contains the same template as current deployment "web"',
    ],
  ])('records %s for a rollback to revision %s', async (reason, revision, text) => {
    await create(DEPLOYMENTS, spec);
    await world.run(make);
    await change(DEPLOYMENTS, { template: { spec: { containers: [{ name: 'c', image: 'other' }] } } });
    await world.run(make);
    await rollBackTo(revision);
    await world.run(make);
    expect(await told(reason)).toEqual([`deployment-controller ${text}`]);
  });
});
