import { scale, topWorkloads } from './changes.js';

/** @import { WorkloadRow } from '../../model/workload_rows.js' */
/** @import { Session } from '../session.js' */

/** The most workloads that are listed. */
const MOST = 200;

/** The workloads with their number of replicas. @param {{ session: Session }} props */
export function WorkloadList({ session }) {
  const all = topWorkloads(session.cluster.value.workloads);
  if (all.length === 0) return null;
  const shown = all.slice(0, MOST);
  return (
    <details class="opens workloads">
      <summary>Workloads: {all.length}</summary>
      <div tabIndex={0} role="group" aria-label="Workloads">
        <ul>
          {shown.map((workload) => (
            <li key={workload.key}>
              {workload.kind} {workload.namespace}/{workload.name}{' '}
              <small>
                {workload.ready} of {workload.wanted}{' '}
                {workload.kind === 'Job' ? 'succeeded' : 'ready'}
              </small>{' '}
              {workload.isScalable && <Scale session={session} workload={workload} />}
            </li>
          ))}
        </ul>
        {all.length > shown.length && <p>and {all.length - shown.length} more</p>}
      </div>
    </details>
  );
}

/** A field for a workload's replicas. @param {{ session: Session, workload: WorkloadRow }} props */
export function Scale({ session, workload }) {
  const { name, wanted } = workload;
  return (
    <span class="scale" role="group" aria-label={`Scale ${name}`}>
      <button
        type="button"
        aria-label={`Scale ${name} down`}
        disabled={wanted === 0}
        onClick={() => scale(session, workload, wanted - 1)}
      >
        −
      </button>
      <input
        type="number"
        min={0}
        value={wanted}
        aria-label={`Replicas of ${name}`}
        onChange={({ currentTarget }) => {
          const replicas = currentTarget.valueAsNumber;
          if (Number.isInteger(replicas)) scale(session, workload, replicas);
          else currentTarget.value = String(wanted);
        }}
      />
      <button
        type="button"
        aria-label={`Scale ${name} up`}
        onClick={() => scale(session, workload, wanted + 1)}
      >
        +
      </button>
    </span>
  );
}
