import { flag } from '#lib/machinery/unstructured.ts';
import { badContainers, containers, securityOf, type Check } from '../check.ts';

/** No container has the host's rights. */
export const privileged: Check = {
  id: 'privileged',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const bad = badContainers(spec, (one) => flag(securityOf(one), 'privileged') === true);
        if (bad.length === 0) return undefined;
        return { reason: 'privileged', detail: `${containers(bad)} must not set securityContext.privileged=true` };
      },
    },
  ],
};
