import { badContainers, type Check, type Secured, setters } from '../check.ts';

const isHostProcess = ({ securityContext }: Secured): boolean => securityContext?.windowsOptions?.hostProcess === true;

/** Forbids HostProcess, Windows' counterpart of a privileged container. */
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
