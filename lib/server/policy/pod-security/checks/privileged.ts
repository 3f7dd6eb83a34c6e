import { badContainers, type Check, containers } from '../check.ts';

/** Containers may not be privileged. */
export const privileged: Check = {
  id: 'privileged',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const bad = badContainers(spec, ({ securityContext }) => securityContext?.privileged === true);
        if (bad.length === 0) return undefined;
        return { reason: 'privileged', detail: `${containers(bad)} must not set securityContext.privileged=true` };
      },
    },
  ],
};
