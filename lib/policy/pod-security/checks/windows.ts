import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag } from '#lib/machinery/unstructured.ts';
import { badContainers, securityOf, setters, type Check } from '../check.ts';

const isHostProcess = (holder: JsonObject): boolean =>
  flag(objectAt(securityOf(holder), 'windowsOptions'), 'hostProcess') === true;

/** Windows' counterpart of a privileged container. */
export const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const who = setters(isHostProcess(spec), badContainers(spec, isHostProcess));
        if (who === '') return undefined;
        return { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
      },
    },
  ],
};
