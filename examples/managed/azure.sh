#!/bin/sh
# What Azure Database for PostgreSQL says of a flexible server, in the form that `facts` of a plan reads.
# Usage: azure.sh RESOURCE_GROUP SERVER. Needs jq, and the Azure CLI, logged in, with the role Reader on the server.
set -eu

described=$(az postgres flexible-server show --resource-group "$1" --name "$2" --output json)
id=$(printf '%s' "$described" | jq -r .id)
tier=$(printf '%s' "$described" | jq -r .sku.tier)
# Only burstable classes have credits.
credits='{ "value": [] }'
if [ "$tier" = Burstable ]; then
    credits=$(az monitor metrics list --resource "$id" --metric cpu_credits_remaining --interval PT1M --aggregation Minimum --output json)
fi
activity=$(az monitor activity-log list --resource-id "$id" --offset 2h --output json)

jq -n --argjson db "$described" --argjson credits "$credits" --argjson activity "$activity" '
    def without_nulls: with_entries(select(.value != null));
    {
        service: "Azure Database for PostgreSQL",
        class: $db.sku.name,
        storage: ({
            class: (if ($db.storage.type // "") == "" then $db.storage.tier else $db.storage.type end),
            size_bytes: (if $db.storage.storageSizeGb then $db.storage.storageSizeGb * 1073741824 else null end),
            iops_limit: $db.storage.iops,
            throughput_limit_bytes_per_s: (if $db.storage.throughput then $db.storage.throughput * 1048576 else null end)
        } | without_nulls),
        facts: {
            "tier": $db.sku.tier,
            "high availability": $db.highAvailability.mode,
            "zone": $db.availabilityZone
        } | without_nulls,
        balances: [$credits.value[] | .name.value as $name | [.timeseries[0].data[] | select(.minimum != null)] | last
            | select(. != null) | { name: $name, unit: "credits", value: .minimum, at: .timeStamp }],
        events: [$activity[] | {
            at: .eventTimestamp,
            message: "\(.operationName.localizedValue // .operationName.value): \(.status.value)",
            kind: (.operationName.value | ascii_downcase
                | if contains("failover") then "failover"
                  elif contains("restart") or contains("/start/") or contains("/stop/") then "restart"
                  elif contains("maintenance") then "maintenance"
                  elif contains("backup") then "backup"
                  elif endswith("flexibleservers/write") then "scaling"
                  else "other" end)
        }]
    } | without_nulls'
