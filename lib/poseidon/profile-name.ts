/** The scheduler name with which pods request this scheduler, like Poseidon's `--schedulerName`. */
export const POSEIDON = 'poseidon';
