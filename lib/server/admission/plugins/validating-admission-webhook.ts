import type { AdmissionPlugin } from '../admission.ts';
import { RequestViews } from '../cel/request-views.ts';
import { isRegistration, type Registrations } from '../registrations.ts';
import type { VersionedObjects } from '../versioned.ts';
import { type CallerPorts, type Invocation, WebhookCaller } from '../webhook/caller.ts';
import { hooksOf } from '../webhook/hook.ts';

const FAILED_OPEN = 'failed-open.validating.webhook.admission.k8s.io/';

/** Calls all matching validating webhooks concurrently. The first rejection in order wins. */
export function validatingAdmissionWebhook(registrations: Registrations, ports: CallerPorts): AdmissionPlugin {
  const caller = new WebhookCaller(ports, false);
  return {
    name: 'ValidatingAdmissionWebhook',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    async validate(attributes) {
      if (isRegistration(attributes)) return;
      const { validatingWebhooks } = await registrations.of(attributes);
      if (validatingWebhooks.length === 0) return;
      const views = new RequestViews(attributes, ports.authorizer);
      const invocations: Invocation[] = [];
      for (const hook of validatingWebhooks.flatMap(hooksOf)) {
        const invocation = await caller.invocation(hook, views);
        if (invocation !== undefined) invocations.push(invocation);
      }
      if (invocations.length > 0) await callAll(caller, invocations, views);
    },
  };
}

async function callAll(caller: WebhookCaller, invocations: readonly Invocation[], views: RequestViews): Promise<void> {
  const { attributes } = views;
  const shown: VersionedObjects[] = [];
  for (const { match } of invocations) shown.push((await views.of(match)).objects);
  const calls = invocations.map((invocation, i) =>
    caller.attempt(invocation.hook, attributes, `${FAILED_OPEN}round_0_index_${i}`, async () => {
      await caller.call(invocation, attributes, shown[i] as VersionedObjects);
    }),
  );
  const refused = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');
  if (refused?.status === 'rejected') throw refused.reason;
}
