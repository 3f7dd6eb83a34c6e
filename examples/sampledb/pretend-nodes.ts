import { defineReconciler, isConditionTrue, type Condition } from 'davit/controller';
import { POD } from './kinds.ts';
import { nameIn } from './objects.ts';

const permissions = [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }];

/** Where there are no nodes: pods of jobs have succeeded, all others are ready, and what is to end has ended. */
export const pretendNodes = defineReconciler(
  { name: 'pretend-nodes', for: POD, permissions },
  async (request, world) => {
    const pod = await world.object();
    if (pod === undefined || isConditionTrue(pod.status?.conditions, 'Ready')) return undefined;
    if (pod.metadata.deletionTimestamp !== undefined) {
      await world.client.delete(POD, nameIn(pod), { gracePeriodSeconds: 0 });
      return undefined;
    }
    const isOfJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true;
    const ready: Pick<Condition, 'type' | 'status'> = { type: 'Ready', status: 'True' };
    await world.client.patchStatus(
      POD,
      request,
      isOfJob ? { phase: 'Succeeded' } : { phase: 'Running', conditions: [ready] },
    );
    return undefined;
  },
);
