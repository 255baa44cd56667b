{{- define "pgdyno.name" -}}
{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "pgdyno.account" -}}
{{ .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "pgdyno.name" .) "default") }}
{{- end }}

{{- define "pgdyno.labels" -}}
app.kubernetes.io/name: pgdyno
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}
