import { quote } from '#lib/machinery/go.ts';
import { ProfileError } from '../framework/runtime/extension-points.ts';
import {
  type Framework,
  type FrameworkPorts,
  type FrameworkProfile,
  newFramework,
} from '../framework/runtime/framework.ts';

/** Creates a scheduler's profiles by scheduler name: upstream's profile.Map. Throws ProfileError. */
export function newFrameworks(
  profiles: readonly FrameworkProfile[],
  ports: FrameworkPorts,
): ReadonlyMap<string, Framework> {
  const frameworks = new Map<string, Framework>();
  for (const profile of profiles) {
    const { schedulerName } = profile;
    const framework = made(profile, ports);
    if (schedulerName === '') throw new ProfileError('scheduler name is needed');
    if (frameworks.has(schedulerName))
      throw new ProfileError(`duplicate profile with scheduler name ${quote(schedulerName)}`);
    frameworks.set(schedulerName, framework);
  }
  sameQueueSort([...frameworks.values()]);
  return frameworks;
}

function made(profile: FrameworkProfile, ports: FrameworkPorts): Framework {
  try {
    return newFramework(profile, ports);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw new ProfileError(`creating profile for scheduler name ${profile.schedulerName}: ${error.message}`);
  }
}

/** All profiles share one queue. */
function sameQueueSort([first, ...others]: readonly Framework[]): void {
  const nameOf = (framework: Framework | undefined): string => framework?.points.queueSort[0]?.name ?? '';
  for (const other of others) {
    if (nameOf(other) === nameOf(first)) continue;
    const names = `${quote(nameOf(other))}, first: ${quote(nameOf(first))}`;
    throw new ProfileError(`different queue sort plugins for profile ${quote(other.profileName)}: ${names}`);
  }
}
